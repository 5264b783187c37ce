"""Pages are finished: formulas, fonts, style sheets, drawings, heads."""

from __future__ import annotations

from pathlib import Path

import pytest

from notebooks.notebook import ROOT
from press.site.drawings import lighter
from press.site.fonts import FACES, text_face, with_fonts, with_text_face
from press.site.formulas import with_formulas
from press.site.heads import Files, with_head
from press.site.listings import plainer
from press.site.problem import SiteError
from press.site.publishing import Edition
from press.site.scripts import IN_ORDER, script
from press.site.styles import compact, for_the_system, read, without_unknown
from press.site.valid import valid

STATIC = ROOT / "press" / "sphinx" / "static"
PAGE = '<p>As <span class="math notranslate nohighlight">\\({}\\)</span>.</p>'
FILES = Files(
    *("_static/a.woff2", "_static/b.woff"),
    *(f"_static/{name}" for name in ("a.css", "b.css", "c.js", "d.js")),
)


def test_a_formula_becomes_part_of_the_page_with_its_text() -> None:
    pages, style = with_formulas({"a.html": PAGE.format(r"x_1 &lt; \mathbf{J}")})
    assert "<mjx-container" in pages["a.html"]
    assert "<mo>&lt;</mo>" in pages["a.html"]
    assert "\\(" not in pages["a.html"]
    assert ".mjx-c1D409.TEX-B::before" in style


@pytest.mark.parametrize("tex", [r"\frac{a", r"\nosuchthing", "猫"])
def test_a_wrong_formula_is_an_error_that_names_its_page(tex: str) -> None:
    with pytest.raises(SiteError, match=r"two\.html"):
        with_formulas({"one.html": PAGE.format("a"), "two.html": PAGE.format(tex)})


def test_a_formula_that_is_not_found_is_an_error() -> None:
    with pytest.raises(SiteError, match=r"one\.html: no formula"):
        with_formulas({"one.html": '<span class="math x">$a$</span>'})


def test_the_fonts_have_the_signs_in_use_and_no_others(tmp_path: Path) -> None:
    _, style = with_formulas({"a.html": PAGE.format("x + 1")})
    style = with_fonts(style, tmp_path)
    sizes = {path.stem: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes["MathJax_Main-Regular"] < 6000
    assert "MathJax_Math-Italic" in sizes
    assert "MathJax_Size4-Regular" not in sizes
    assert all(f"fonts/{name}.woff?v=" in style for name in sizes)
    assert "MathJax_Size4-Regular" not in style


def test_the_text_face_is_small_and_named_in_the_sheet(tmp_path: Path) -> None:
    sheet = read(STATIC, ["book.css"])[0]
    named = with_text_face(sheet, tmp_path)
    assert sum(path.stat().st_size for path in FACES.iterdir()) <= 25_000
    (file,) = tmp_path.iterdir()
    assert text_face(named).startswith(f"fonts/{file.name}?v=")
    assert named.count("url(data:font/woff2;base64,") == 1


def test_rules_that_cannot_match_are_left_out() -> None:
    sheet = """
    .used, .unused > p { color: red }
    .unused .used { color: blue }
    p:not(.unused, .other) { color: green }
    .bs-tooltip-end { color: pink }
    @media print { .unused { color: red } #used { margin: 0 } }
    @keyframes turn { to { color: red } }
    .used { background: url(file.png) }
    """
    kept = without_unknown(sheet, {"used"})
    assert kept.splitlines() == [
        ".used{color: red}",
        "p:not(.unused, .other){color: green}",
        ".bs-tooltip-end{color: pink}",
        "@media print {#used{margin: 0}}",
        "@keyframes turn { to { color: red } }",
    ]


def test_without_a_choice_the_system_says_which_theme() -> None:
    sheet = """
    html[data-theme="dark"] p, html[data-theme=light] q { color: red }
    @media screen { html[data-theme="dark"] a { color: blue } }
    p { color: green }
    """
    assert for_the_system(sheet).splitlines() == [
        '@media (prefers-color-scheme: dark){html[data-theme="auto"] p{color: red}}',
        '@media (prefers-color-scheme: light){html[data-theme="auto"] q{color: red}}',
        "@media screen and (prefers-color-scheme: dark)"
        '{html[data-theme="auto"] a{color: blue}}',
    ]


def test_a_compact_sheet_has_the_same_rules() -> None:
    sheet = (
        '/* why */\na {\n  color: red;\n  content: " ";\n}\n\n/* b */\nb { top: 0 }\n'
    )
    assert compact(sheet) == 'a {color: red;content: " ";}b { top: 0 }'


def test_drawings_are_rounded_and_their_words_are_one_shape_each() -> None:
    drawing = (
        '<svg class="x"><g>\n<g /><g fill="red" transform="translate(1 2)"><defs>'
        '<path d="M 0 0  L 64 32  z " transform="scale(0.015625)" id="svg1-A-1" />'
        '<path transform="scale(0.015625)" id="svg1-A-3" /></defs>'
        '<use xlink:href="#svg1-A-1" />'
        '<use xlink:href="#svg1-A-3" transform="translate(10 0)" />'
        '<use xlink:href="#svg1-A-1" transform="translate(20.5 0) scale(0.5)" /></g>'
        '<g transform="scale(2)"><use xlink:href="#mark" x="12.345678" y="-0.0001" />'
        '</g></g><path d="M 1.006 2  L 3 4.25  A 1 1" /></svg>'
    )
    page = lighter(f'<article>{drawing}<code>x="1.23456"</code></article>')
    assert page == (
        '<article><svg class="x"><path class="book-words" fill="red" '
        'transform="translate(1 2) scale(0.25)" d="M0 0l4 2zM82 0l2 1z" />'
        '<g transform="scale(2)"><use xlink:href="#mark" x="12.3" y="0" /></g>'
        '<path d="M1.01 2L3 4.25A1 1" /></svg><code>x="1.23456"</code></article>'
    )
    assert lighter("<article>no drawing</article>") == "<article>no drawing</article>"


def test_a_drawing_with_text_keeps_its_spaces_and_groups() -> None:
    drawing = '<svg><g> <text x="1.23456">a</text> </g></svg>'
    assert lighter(drawing) == '<svg><g> <text x="1.23">a</text> </g></svg>'


def test_only_what_has_a_colour_is_marked_in_a_listing() -> None:
    sheet = (
        "html .highlight { background: #eee; color: #111 }\n"
        "html .highlight .n { color: #111 } /* Name */\n"
        "html .highlight .k { color: #222 } /* Keyword */\n"
        "dark .highlight { background: #111; color: #eee }\n"
        "dark .highlight .n { color: #eee } /* Name */\n"
        "dark .highlight .k { color: #eee } /* Keyword */\n"
    )
    code = (
        '<pre><span></span><span class="k">not</span> <span class="k">in</span>\n'
        '<span class="n">x</span> <span class="k">if</span></pre>'
    )
    page = f'<div class="highlight">{code}</div><span class="n">y</span>'
    assert plainer(page, sheet) == (
        '<div class="highlight"><pre><span></span><span class="k">not in</span>\n'
        'x <span class="k">if</span></pre></div><span class="n">y</span>'
    )


def test_what_html_forbids_is_written_otherwise() -> None:
    title = ' class="collapsed admonition-title">Drawing</'
    fold = f'<summary aria-label="Toggle hidden content">\n<p{title}p>'
    assert valid(fold) == f"<summary>\n<span{title}span>"
    code = fold.replace("Drawing", "`walk`, 9 lines")
    assert ">`walk`" not in valid(code)
    assert "><code>walk</code>, 9 lines</span>" in valid(code)
    cell = "<td><p>a</p></td><td><p><details>b</details></p></td>"
    assert valid(cell) == "<td><p>a</p></td><td><details>b</details></td>"
    image = "<img src='data:image/svg+xml;charset=utf-8,<svg>\n</svg>'>"
    assert valid(image).count("<") == 1
    assert valid(image).count(" ") == 1
    field = '<input\n id="search-input"\n x>'
    assert valid(field + field) == field + "<input\n x>"


def test_signatures_are_plainer_and_other_words_are_not() -> None:
    word, sign = (
        f'<span class="{kind}"><span class="pre">{text}</span></span>'
        for kind, text in (("n", "x"), ("o", "="))
    )
    colon = '<span class="colon">:</span>'
    page = (
        f'<dt class="sig py">f({word}{sign}1)</dt><dt class="field-odd">Of{colon}</dt>'
        f"<code>{word}{colon}</code>"
    )
    sheet = "html .highlight { background: #eee; color: #111 }\n"
    assert plainer(page, sheet) == (
        '<dt class="sig py">f(x<span class="o">=</span>1)</dt>'
        f'<dt class="field-odd">Of:</dt><code>{word}{colon}</code>'
    )


def test_a_head_has_one_sheet_one_script_and_what_was_the_pages_own() -> None:
    page = (
        '<html data-content_root="../" data-theme="auto"><head><title>T</title>'
        '<link rel="stylesheet" href="old.css"><script src="old.js"></script>'
        '<script data-own defer src="../live/button.js" data-notebook="n"></script>'
        '<link rel="next" href="b.html" /></head><body><th class="head"><p></p></th>\n'
        '<div id="jb-print-docs-body"><h1>T</h1></div><div id="searchbox"></div>'
        '<script src="../_static/scripts/bootstrap.js"></script></body></html>'
    )
    text = with_head("a.html", page, FILES, Edition("1.2.3"))
    assert "old." not in text
    assert "bootstrap" not in text
    assert "<th" not in text
    assert "<h1" not in text
    assert text.count('name="viewport"') == 1
    for part in (
        '<link rel="stylesheet" href="../_static/a.css">',
        '<script defer src="../_static/c.js" data-search="_static/d.js">',
        'live/button.js" data-notebook="n"',
        '<link rel="next" href="b.html" />',
        "<title>T</title>",
    ):
        assert part in text
    assert text.index("dataset") < text.index('rel="stylesheet"')


def test_a_page_with_formulas_has_the_font_of_their_boxes_at_once() -> None:
    for body, expected in (("<p></p>", 0), ("<mjx-container></mjx-container>", 1)):
        page = (
            '<html data-content_root=""><head><title>T</title></head>'
            f"<body>{body}</body></html>"
        )
        text = with_head("a.html", page, FILES, Edition("1.2.3"))
        assert text.count('href="_static/b.woff" as="font"') == expected
        assert text.count('rel="preload"') == 1 + expected


def test_another_theme_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"a\.html is no page of this theme"):
        with_head("a.html", "<html><head></head></html>", FILES, Edition("1.2.3"))
    for name in IN_ORDER:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("let a;\n//# sourceMappingURL=a.map\n")
    with pytest.raises(SiteError, match="script has changed"):
        script(tmp_path)
