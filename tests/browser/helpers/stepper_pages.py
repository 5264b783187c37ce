"""Pages with steppers, served to a real browser, and what a test does with one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from autograd_lib.scalar.value import Value
from autograd_lib.stepper import drawing
from autograd_lib.stepper.page import Stepper, step
from tests.browser.helpers import browser
from tests.browser.helpers.browser import Reader

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Steppers</title>
<style>
  html { color-scheme: light dark; }
  body { margin: 1rem; font: 1rem/1.6 sans-serif; color: #23272e; background: #fff; }
  @media (prefers-color-scheme: dark) { body { color: #dfe3e8; background: #14181e; } }
</style>
<main><h1>Steppers</h1><article>%s</article></main>
</html>
"""
TEXTS = """stepper => Object.fromEntries(
    [...stepper.querySelectorAll("[data-part]")]
        .map(part => [part.dataset.part,
            [...part.querySelectorAll("text, td")].slice(-2).map(t => t.textContent)])
        .filter(([, lines]) => lines.length))"""
# As notebooks do it: scripts of HTML that is set later run once they are made anew.
RUN_AGAIN = """(output, html) => {
    output.innerHTML = html;
    for (const old of output.querySelectorAll("script")) {
        const script = document.createElement("script");
        script.textContent = old.textContent;
        old.replaceWith(script);
    }
}"""


def graph() -> Value:
    """Return a graph in which a number is used by three others, and one twice."""
    x, w = Value(3.0, "x"), Value(-2.0, "w")
    y = (x * w + 5.5).tanh() * x + x * x + w
    y.label = "y"
    return y


def sum_times_x() -> Stepper:
    """Return the steps through y = (x + w) x at x = 3, w = 2."""
    x, w = Value(3.0, "x"), Value(2.0, "w")
    total = x + w
    y = total * x
    return step(y)


def finished(root: Value) -> dict[str, list[str]]:
    """Return the lines of every node after `backward()`, which has the last word."""
    root.backward()
    nodes = step(root).trace.nodes
    return {
        f"n{i}": [f"{v.data:.4g}", f"grad {v.grad:.4g}"] for i, v in enumerate(nodes)
    }


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[Reader]:
    """Write the pages to a folder, serve it and start the browser.

    The page `outputs` has two equal steppers and one without a drawing; `frames` has
    one in each of two frames.
    """
    html = step(graph())._repr_html_()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "render", lambda dot: None)
        tabled = step(graph())._repr_html_()
    outputs = "".join(f"<div>{text}</div>" for text in (html, html, tabled))
    frames = '<iframe src="output.html" title="An output"></iframe>' * 2
    for name, body in {"outputs": outputs, "output": html, "frames": frames}.items():
        (folder / f"{name}.html").write_text(PAGE % body, "utf-8")
    with browser.reading(folder) as reader:
        yield reader


def press(stepper: Locator, name: str, times: int = 1) -> None:
    """Click a button, also where it says that it is disabled."""
    for _ in range(times):
        stepper.get_by_role("button", name=name).click(force=True)


def nodes_of(stepper: Locator) -> dict[str, list[str]]:
    """Return the two lines of each node."""
    parts = stepper.evaluate(TEXTS)
    return {name: lines for name, lines in parts.items() if name.startswith("n")}


def place(stepper: Locator) -> int:
    """Return the number of the step that is shown."""
    return int(stepper.get_by_role("slider").input_value())


def sentence(stepper: Locator) -> str:
    """Return the sentence that a screen reader is given."""
    return str(stepper.locator("[aria-live]").inner_text())


def field(stepper: Locator, name: str) -> Locator:
    """Return the field of an input."""
    return stepper.get_by_role("textbox", name=name, exact=True)


def still(page: Page) -> None:
    """Ask for nothing to move."""
    page.emulate_media(reduced_motion="reduce")
