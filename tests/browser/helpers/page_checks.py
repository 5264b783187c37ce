"""What must be true of a page, as scripts that return what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")

UNDESCRIBED = r"""
[...document.querySelectorAll(
    "img, svg[role=img], article svg:not(button svg, [aria-hidden=true])"
)].map(e =>
    [e, (e.getAttribute("alt") ?? e.getAttribute("aria-label") ?? "").trim()]
).filter(([e, text]) => !text || /^[0-9a-f]{16,}|\.(svg|png)$/.test(text)
).map(([e, text]) => `${e.outerHTML.slice(0, 120)} described as "${text}"`)
"""

UNRENDERED = """
[...document.querySelectorAll(".math, mjx-merror")].filter(e =>
    e.matches("mjx-merror") || !e.querySelector("mjx-container")
).map(e => e.textContent.trim())
"""

# What is wider than its box must be reachable: by scrolling, and that by keyboard. An
# editor scrolls with its caret.
CUT_OFF = """
[...document.querySelectorAll("article *:not(mjx-container *, svg *)")].filter(e => {
    const how = getComputedStyle(e);
    const wide = e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1;
    const hidden = how.overflowX === "hidden" || how.overflowX === "clip";
    const scrolls = (how.overflowX === "auto" || how.overflowX === "scroll")
        && !e.matches(".cm-scroller");
    return wide && (hidden || (scrolls && e.tabIndex < 0));
}).map(e => e.outerHTML.slice(0, 200))
"""

# What a cell printed, and is not shown to its end.
UNREAD = """
[...document.querySelectorAll("article .cell_output pre")]
    .filter(e => e.closest(".stream, .text_plain, .traceback"))
    .filter(e => e.scrollWidth > e.clientWidth + 1)
    .map(e => e.textContent.trim().slice(0, 80))
"""

# A drawing ends at its edge, so a title that is too long loses its end. What a plot
# clips on purpose, such as curves beyond its axes, says so.
OVER_THE_EDGE = """
[...document.querySelectorAll("article svg:not(button svg)")].flatMap(svg => {
    const edge = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("path, use, text")].filter(e => {
        const box = e.getBoundingClientRect();
        const over = Math.max(edge.left - box.left, box.right - edge.right,
                              edge.top - box.top, box.bottom - edge.bottom);
        return box.width && over > 0.5 && !e.closest("defs, clipPath, [clip-path]");
    }).slice(0, 1).map(() => svg.getAttribute("aria-label") ?? svg.outerHTML);
}).map(text => text.slice(0, 120))
"""

# What is folded, such as solutions, is laid out once it is open, and fades in.
UNFOLD = """
new Promise(done => {
    document.querySelectorAll("details").forEach(e => { e.open = true; });
    requestAnimationFrame(() => {
        for (const fading of document.getAnimations())
            if (isFinite(fading.effect.getComputedTiming().endTime)) fading.finish();
        requestAnimationFrame(() => requestAnimationFrame(done));
    });
})
"""

# Of colours: what is behind an element, seen through layers that are not solid, and the
# contrast of two.
COLOURS = """
    // A mixed colour is color(srgb r g b), each from 0 to 1.
    const parse = c => (c.match(/[\\d.]+/g) ?? []).map(
        (v, i) => c.startsWith("color(srgb") && i < 3 ? 255 * v : Number(v));
    const luminance = c => c.slice(0, 3).map(v => v / 255).map(
        v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
    ).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = (a, b) => {
        const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x);
        return (hi + 0.05) / (lo + 0.05);
    };
    const over = (colour, share, back) =>
        back.map((v, i) => share * colour[i] + (1 - share) * v);
    const behind = e => {
        if (!e) return [255, 255, 255];
        const c = parse(getComputedStyle(e).backgroundColor);
        const share = c[3] ?? 1;
        return share === 1 ? c : over(c, share, behind(e.parentElement));
    };
    const opacity = e => {
        let all = 1;
        for (; e && !e.matches("article"); e = e.parentElement)
            all *= getComputedStyle(e).opacity;
        return all;
    };
"""

# Text needs a contrast of 4.5 with what is behind it, the page or a box or a bar, and a
# line or an area 3 with the page. Lines that are drawn faint on purpose, such as a
# grid, are decoration. Matplotlib's text is made of letters that are used from one
# place; the first of a line stands for all.
FAINT = (
    f"""
(() => {{{COLOURS}"""
    + """
    const inside = (shape, point) => {
        const box = shape.getBoundingClientRect();
        return point.x > box.left && point.x < box.right
            && point.y > box.top && point.y < box.bottom && shape.isPointInFill(
                point.matrixTransform(shape.getScreenCTM().inverse()));
    };
    const ground = (text, shapes, back) => {
        const box = text.getBoundingClientRect();
        if (!box.width) return back;
        const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
        for (const shape of shapes) {
            const before = Node.DOCUMENT_POSITION_PRECEDING;
            if (!(text.compareDocumentPosition(shape) & before)) break;
            const how = getComputedStyle(shape);
            if (how.fill === "none" || how.visibility === "hidden") continue;
            if (!inside(shape, middle)) continue;
            const colour = parse(how.fill);
            const share = (colour[3] ?? 1) * how.fillOpacity * opacity(shape);
            back = over(colour, share, back);
        }
        return back;
    };
    const found = [];
    for (const svg of document.querySelectorAll("article svg:not(button svg)")) {
        const back = behind(svg.parentElement);
        const shapes = [...svg.querySelectorAll(
            "path, circle, ellipse, rect, polygon")].filter(
                e => !e.closest("defs, clipPath, mask"));
        const marks = "text, tspan, path, circle, ellipse, rect, polygon, polyline,"
            + "line, use";
        for (const e of svg.querySelectorAll(marks)) {
            if (e.closest("defs, clipPath, mask")) continue;
            const used = e.getAttribute("href") ?? e.getAttribute("xlink:href") ?? "";
            const letter = /#(.*-)?DejaVu/.test(used);
            if (letter && e.previousElementSibling?.matches("use")) continue;
            const words = letter || e.matches("text, tspan, .book-words");
            const behindIt = words ? ground(e, shapes, back) : back;
            const how = getComputedStyle(e);
            const paints = [["fill", how.fillOpacity], ["stroke", how.strokeOpacity]]
                .filter(([kind, alpha]) =>
                    how[kind] !== "none" && parse(how[kind])[3] !== 0
                    && alpha * opacity(e) >= 0.5)
                .map(([kind]) => contrast(parse(how[kind]), behindIt));
            const needed = words ? 4.5 : 3;
            if (paints.length && Math.max(...paints) < needed)
                found.push([Math.max(...paints), e.outerHTML.slice(0, 120)]);
        }
    }
    return found;
})()
"""
)

# The text of a page, formulas and menus included: 3 is enough for large letters.
PALE = (
    f"""
(() => {{{COLOURS}"""
    + """
    const found = {};
    for (const e of document.querySelectorAll("body *:not(svg *, mjx-container *)")) {
        const words = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (!(words || e.matches("mjx-container"))) continue;
        if (e.matches(":disabled, [aria-disabled=true]")) continue;
        if (!e.checkVisibility({visibilityProperty: true})) continue;
        const how = getComputedStyle(e);
        const [colour, back] = [parse(how.color), behind(e)];
        const share = (colour[3] ?? 1) * opacity(e);
        const size = parseFloat(how.fontSize) * (how.fontWeight < 700 ? 1 : 9 / 7);
        const seen = contrast(over(colour, share, back), back);
        if (seen < (size < 24 ? 4.5 : 3))
            found[`${e.localName}.${e.className} ${how.color}`] = [seen, e.outerHTML];
    }
    return Object.values(found).map(([seen, html]) => [seen, html.slice(0, 120)]);
})()
"""
)

# Thousands of words of code look alike, and hundreds of signatures and of rows are made
# alike; axe takes milliseconds for each. The first of each kind stays. The text of
# another word joins the line around it. Formulas, in which axe sees no text, may go.
THINNED = """
(words) => {
    const again = (what, kind) => {
        const all = [...document.querySelectorAll(what)];
        const kinds = all.map(kind);
        const first = new Map(kinds.map((one, i) => [one, i]).reverse());
        return all.filter((_, i) => first.get(kinds[i]) < i);
    };
    const look = (one) => [
        one.localName, one.className, one.style.cssText, getComputedStyle(one).color,
        one.closest(".cell_input, .cell_output, .admonition, tr, article").className,
    ].join();
    for (const one of again(words, look))
        one.replaceWith(...(one.matches("mjx-math") ? [] : one.childNodes));
    const made = (one) => one.outerHTML.replace(/>[^<]*/g, ">")
        .replace(/ (id|href|title|src)="[^"]*"/g, "");
    for (const one of again("article :is(tr, li, dl.py)", made)) one.remove();
}
"""
WORDS = "article :is(p, li, td, dt, dd, pre) :is(em, strong, code, span)"
FORMULAS = "article mjx-math"

# Every rule that axe knows but its experiments, those of good practice included.
FINDINGS = """
axe.run(document, {resultTypes: ["violations"], rules: {}}).then(result =>
    result.violations.map(
        v => [v.id, v.impact, v.nodes.map(n => n.html.slice(0, 200))]
    ))
"""
# Colours do not depend on the screen, and their contrast, with what is behind a text
# and of a link with the words around it, is most of axe's work.
FINDINGS_BUT_CONTRAST = FINDINGS.replace(
    "rules: {}",
    """rules: {
        "color-contrast": {enabled: false}, "link-in-text-block": {enabled: false},
    }""",
)
CONTRAST = FINDINGS.replace(
    "rules: {}", 'runOnly: ["color-contrast", "link-in-text-block"]'
)


def assert_none(found: Sequence[object]) -> None:
    """Fail with all that was found, if anything was."""
    assert not found, json.dumps(found, indent=2, ensure_ascii=False)
