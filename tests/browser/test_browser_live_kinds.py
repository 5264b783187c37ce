"""What cells of a live page can put out, and how it looks to every reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.helpers.browser import DESKTOP, PHONE, Theme
from tests.browser.helpers.live_site import LivePage, Site, browsing, opened, serving
from tests.browser.helpers.page_checks import (
    AXE,
    CUT_OFF,
    FAINT,
    FINDINGS,
    UNDESCRIBED,
    assert_none,
)

PAGE = "chapters/06_seeing.html"

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
    with browsing(site) as context:
        live = opened(context, site.address + PAGE).start()
        live.run(1, KINDS)
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
        ("%timeit 1", ".traceback", "is a command of Jupyter"),
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


def test_a_bar_that_is_gone_leaves_no_trace(live: LivePage, tmp_path: Path) -> None:
    live.run(2, "from tqdm import tqdm\nfor _ in tqdm(range(3), leave=False): pass")
    cells = [c for c in live.notebook(tmp_path).cells if c.cell_type == "code"]
    assert cells[1].outputs == []


def test_a_bar_that_leaves_leaves_nothing(live: LivePage) -> None:
    code = "import sys\nsys.stderr.write('\\r 50%')\nsys.stderr.write('\\r    \\r')"
    live.run(2, f"{code}\nNone")
    assert live.output(2) == ""


def test_figures_are_pictures_with_a_description(live: LivePage) -> None:
    live.run(2, "import matplotlib.pyplot as plt\n_ = plt.plot([1, 3, 2])")
    picture = live.place(2).locator("img")
    assert picture.get_attribute("alt") == "Picture made by cell 2"
    assert picture.evaluate("e => e.naturalWidth") > 200


def test_output_without_end_is_cut(live: LivePage) -> None:
    text = live.run(2, "for i in range(300_000): print('0123456789')")
    assert "and more, which is not shown" in text
    assert len(text) < 700_000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_legible_and_accessible(live: LivePage, site: Site, theme: Theme) -> None:
    browser = live.page.context.browser
    assert browser
    context = browser.new_context(viewport=DESKTOP, color_scheme=theme)
    page = opened(context, site.address + PAGE).start()
    assert "have run" in page.run_all()
    stepper = page.page.locator(".cell_output .autograd-stepper").first
    stepper.get_by_role("button", name="Next").click()
    assert stepper.get_by_role("slider").input_value() == "1"
    page.run(4, "print('edited')\n1 / 0")
    assert page.problems == []  # axe asks for files that are not there
    page.page.evaluate(AXE)
    for screen in (DESKTOP, PHONE):
        page.page.set_viewport_size(screen)
        page.page.wait_for_timeout(300)
        width = page.page.evaluate("document.documentElement.scrollWidth")
        assert width <= screen["width"]
        for check in (CUT_OFF, FAINT, UNDESCRIBED, FINDINGS):
            assert_none(page.page.evaluate(check))
    context.close()


LONG = """
from autograd_lib.engine.tensor import Tensor
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


def test_a_long_graph_that_is_dropped_leaves_python_alive(live: LivePage) -> None:
    assert live.run(2, LONG) == "still here"
    assert live.run(2, "print(1 + 1)") == "2"
