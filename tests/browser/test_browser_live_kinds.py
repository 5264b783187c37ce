"""What cells of a live page can put out, and how it looks to every reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.helpers.browser import DESKTOP, PHONE
from tests.browser.helpers.live_site import LivePage, Site, browsing, opened, serving
from tests.browser.helpers.page_checks import (
    AXE,
    CONTRAST,
    CUT_OFF,
    FAINT,
    FINDINGS,
    FINDINGS_BUT_CONTRAST,
    PALE,
    THINNED,
    UNDESCRIBED,
    UNFOLD,
    WORDS,
    assert_none,
)

PAGE = "chapters/04_order.html"
THEME = "t => { document.documentElement.dataset.theme = t; }"

KINDS = r"""
class Thing:
    def __init__(self, **kinds):
        self.kinds = kinds

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {name.replace("_", "/", 1): value for name, value in self.kinds.items()}

    def __repr__(self):
        return "a thing"

"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture(scope="module")
def live(site: Site) -> Iterator[LivePage]:
    with browsing() as context:
        live = opened(context, site.address + PAGE).start()
        live.run(2, KINDS)
        yield live
        assert live.problems == []


@pytest.mark.parametrize(
    ("code", "selector", "text"),
    [
        ("[1, 'two', {3: 4.0}]", ".text_plain pre", "[1, 'two', {3: 4.0}]"),
        ("int", ".text_plain pre", "int"),
        ("print('a'); 2;", ".stream pre", "a"),
        ("Thing(text_html='<table><tr><td>7</td></tr></table>')", "td", "7"),
        ("Thing(text_html='<p>a</p><script>"
         "document.currentScript.previousSibling.textContent=\"ran\"</script>')",
         ".text_html p", "ran"),
        ("Thing(text_markdown='|a|b|\\n|-|-|\\n|1|*2*|')", "table.table em", "2"),
        ("Thing(text_markdown='```python\\ndef f(): pass\\n```')", ".k", "def"),
        ("Thing(text_latex='$x^2$')", "mjx-container", ""),
        ("Thing(text_unknown='?')", ".text_plain pre", "a thing"),
        ("import asyncio\nawait asyncio.sleep(0.01, 'slept')", "pre", "'slept'"),
        ("input('name? ')", ".traceback", "RuntimeError: input() cannot wait"),
        ("%ls", ".traceback", "is a command of Jupyter"),
        ("%timeit -n 9 -r 3 n = 1", ".stream pre", "of 3 runs, 9 loops each)"),
        ("1 / 0", ".traceback", "ZeroDivisionError"),
        ("def r(n): return r(n)\nr(1)", ".traceback", "RecursionError"),
        ("R = type('R', (), {'__repr__': lambda self: repr(self)})\nR()", ".traceback",
         "RecursionError"),
        ("for i in range(3): print(f'\\r{i} of 2', end='')", ".stream pre", "2 of 2"),
        ("from IPython.display import display, HTML\n"
         "d = display(HTML('<b>1</b>'), display_id=True)\nd.update(HTML('<b>2</b>'))",
         "b", "2"),
        ("import tqdm\nfor _ in tqdm.tqdm(range(3)): pass", ".stderr pre", "3/3"),
    ],
)  # fmt: skip
def test_it_is_shown(live: LivePage, code: str, selector: str, text: str) -> None:
    live.run(2, code)
    found = live.place(2).locator(selector)
    found.first.wait_for()
    assert text in found.first.inner_text()


CONTRASTS = """
(() => {
    const canvas = document.createElement("canvas")
        .getContext("2d", { willReadFrequently: true });
    const light = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map((x) => x / 255)
            .map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const ground = (element) => {
        const { backgroundColor } = getComputedStyle(element);
        const clear = /^rgba\\(.*, 0\\)$/.test(backgroundColor);
        return clear ? ground(element.parentElement) : backgroundColor;
    };
    const found = {};
    for (const one of document.querySelectorAll(".traceback pre, .traceback span")) {
        const [a, b] = [getComputedStyle(one).color, ground(one)].map(light);
        const name = one.className || one.localName;
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        found[name] = Math.min(found[name] ?? 99, contrast);
    }
    return found;
})()
"""
WRONG = """
# why
def half(x: float = 1.5, *, name='two'):
    return not x / 0
half(name="one")
"""


def test_a_traceback_has_the_colours_of_the_page(live: LivePage) -> None:
    live.run(2, WRONG.strip())
    place = live.place(2).locator(".traceback")
    assert place.locator(".ne").all_inner_texts() == [
        *["ZeroDivisionError", "----> ", "----> ", "ZeroDivisionError"]
    ]
    assert "5" not in place.locator(".mi").all_inner_texts()
    assert "def" in place.locator(".k").all_inner_texts()
    for theme in ("light", "dark"):
        live.page.evaluate(THEME, theme)
        contrasts = live.page.evaluate(CONTRASTS)
        assert {"pre", "ne", "mi", "k", "o", "s2"} <= contrasts.keys()
        assert min(contrasts.values()) >= 4.5, contrasts
    live.page.evaluate(THEME, "light")


def test_a_bar_that_is_gone_leaves_no_trace(live: LivePage, tmp_path: Path) -> None:
    live.run(2, "from tqdm import tqdm\nfor _ in tqdm(range(3), leave=False): pass")
    cells = [c for c in live.notebook(tmp_path).cells if c.cell_type == "code"]
    assert cells[1].outputs == []


def test_a_bar_that_leaves_leaves_nothing(live: LivePage) -> None:
    code = "import sys\nsys.stderr.write('\\r 50%')\nsys.stderr.write('\\r    \\r')"
    live.run(2, f"{code}\nNone")
    assert live.output(2) == ""


def test_figures_are_drawings_with_a_description(live: LivePage) -> None:
    live.run(2, "import matplotlib.pyplot as plt\n_ = plt.plot([1, 3, 2])")
    drawing = live.place(2).get_by_role("img", name="A figure: it has no title")
    assert drawing.evaluate("e => e.clientWidth") > 200


def test_output_without_end_is_cut(live: LivePage) -> None:
    text = live.run(2, "for i in range(300_000): print('0123456789')")
    assert "and more, which is not shown" in text
    assert len(text) < 700_000


# A reader's own figure, in the colours that Matplotlib has without the book's style.
FIGURE = """
import matplotlib.pyplot as plt

with plt.style.context("default"):
    fig, ax = plt.subplots()
    ax.plot([1, 3, 2])
    ax.set_title("Mine")
    ax.text(0, 1, "words", color="C0", bbox={"fc": "white"})
    plt.show()
"""
VERDICT = "check(lambda x: x, lambda x: 2 * x, reals(1, 2))"


@pytest.mark.exhaustive  # the colours of nine pages are tried always
def test_it_is_legible_and_accessible_in_both_themes(
    live: LivePage, site: Site
) -> None:
    browser = live.page.context.browser
    assert browser
    context = browser.new_context(viewport=DESKTOP)
    page = opened(context, site.address + PAGE).start()
    assert "have run" in page.run_all()
    page.page.evaluate(UNFOLD)  # of this chapter the steppers are folded
    stepper = page.page.locator(".cell_output .autograd-stepper").first
    stepper.get_by_role("button", name="Next").click()
    assert stepper.get_by_role("slider").input_value() == "1"
    page.run(4, "print('edited')\n1 / 0")
    page.run(5, FIGURE)
    assert page.place(5).get_by_role("img", name="A figure: Mine").count() == 1
    page.write(6, VERDICT)
    page.page.keyboard.press("Alt+Enter")
    page.wait_for("Cell 6 has run")
    assert "✗" in page.output(6)
    page.page.keyboard.insert_text("print('in a cell of my own')")
    page.page.keyboard.press("Shift+Enter")
    page.wait_for("Cell 6\\+ has run")
    assert page.problems == []  # axe asks for files that are not there
    page.page.evaluate(UNFOLD)
    page.page.evaluate(THINNED, WORDS)
    page.page.evaluate(AXE)
    for theme, screen, checks in (
        ("light", DESKTOP, (CUT_OFF, PALE, FAINT, UNDESCRIBED, FINDINGS)),
        ("light", PHONE, (CUT_OFF, FINDINGS_BUT_CONTRAST)),
        ("dark", DESKTOP, (PALE, FAINT, CONTRAST)),
    ):
        page.page.evaluate(THEME, theme)
        page.page.set_viewport_size(screen)
        page.page.evaluate(UNFOLD)
        page.page.wait_for_timeout(300)
        width = page.page.evaluate("document.documentElement.scrollWidth")
        assert width <= screen["width"]
        for check in checks:
            assert_none(page.page.evaluate(check))
    context.close()


LONG = """
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.scalar.value import Value

for kind in (Value, lambda data: Tensor(data, requires_grad=True)):
    y = kind(1.0)
    for _ in range(100_000):
        y = y * 1.0
    del y
    y = kind(1.0)
    for _ in range(100_000):
        y = y * 1.0
    sorted([2, 1], key=lambda number: [globals().pop("y", None), number][1])
print("still here")
"""


@pytest.mark.exhaustive  # in CPython it is tried always
def test_a_long_graph_that_is_dropped_leaves_python_alive(live: LivePage) -> None:
    assert live.run(2, LONG) == "still here"
    assert live.run(2, "print(1 + 1)") == "2"
