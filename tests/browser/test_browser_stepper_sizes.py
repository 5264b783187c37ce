"""Each stepper of the book, on a laptop and on a phone: its height, what is in view.

A stepper fills at most 55 % of a laptop's window, and one window of a phone. At each
step the node at work is inside its frame.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize

from tests.book.helpers.built_book import built_book
from tests.browser.helpers.browser import Reader
from tests.browser.helpers.browser import reader as reader

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
HAND: ViewportSize = {"width": 390, "height": 844}
ALWAYS = ("index", "chapters/04_order", "chapters/22_compile")
# For each stepper its name, its greatest height as a part of the window's, and the
# steps at which a node at work is not in its frame.
MEASURED = """async () => {
    const painted = () => new Promise(done =>
        requestAnimationFrame(() => requestAnimationFrame(done)));
    const found = [];
    const all = (query, from = document) => [...from.querySelectorAll(query)];
    for (const fold of all("details")) fold.open = !fold.closest(".autograd-stepper");
    for (const stepper of document.querySelectorAll(".autograd-stepper")) {
        const slider = stepper.querySelector("[type=range]");
        stepper.scrollIntoView();
        let [height, lost] = [0, []];
        for (let at = 0; at <= Number(slider.max); at++) {
            slider.value = at;
            slider.oninput();
            await painted();
            const boxes = all(".stepper-views, .stepper-panel", stepper)
                .map(part => part.getBoundingClientRect());
            const top = Math.min(...boxes.map(box => box.top));
            const bottom = Math.max(...boxes.map(box => box.bottom));
            height = Math.max(height, (bottom - top) / innerHeight);
            for (const now of stepper.querySelectorAll('[data-state="now"]')) {
                const [box, frame] = [now, now.closest(".stepper-graph")]
                    .map(part => part.getBoundingClientRect());
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                const isIn = x > frame.left && x < frame.right
                    && y > frame.top && y < frame.bottom;
                if (!isIn) lost.push(at);
            }
        }
        found.push([stepper.getAttribute("aria-label"), height, lost]);
    }
    return found;
}"""


def pages() -> list[str]:
    """Return the pages of the built book that have a stepper."""
    folder = built_book()
    files = [folder / "index.html", *sorted((folder / "chapters").glob("*.html"))]
    return [
        str(file.relative_to(folder).with_suffix(""))
        for file in files
        if '<div class="autograd-stepper' in file.read_text("utf-8")
    ]


def test_the_node_at_work_and_the_buttons_share_a_window(
    reader: Reader, request: pytest.FixtureRequest
) -> None:
    """Weekly on all pages, and otherwise on those with the tallest and widest."""
    seen, found = 0, pages()
    assert set(ALWAYS) < set(found)
    for name in found if request.config.getoption("--exhaustive") else ALWAYS:
        with reader.visit(name, still=True) as visit:
            for screen, most in ((LAPTOP, 0.55), (HAND, 1.0)):
                visit.page.set_viewport_size(screen)
                for stepper, height, lost in visit.run(MEASURED):
                    print(f"{name}: {stepper}: {height:.0%}")  # noqa: T201 - with -s
                    assert height <= most, (name, stepper, screen, height)
                    assert not lost, (name, stepper, screen, lost)
                    seen += 1
    assert seen >= 2 * len(ALWAYS)
