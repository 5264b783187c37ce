"""A page that is made live for the first time, or with something missing."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.helpers.live_site import (
    LivePage,
    Site,
    a_reader,
    opened,
    serving,
    started,
)

PAGE = "chapters/00_start_here.html"
SUM = """
import matplotlib.pyplot, numpy
from autograd_lib.scalar.value import Value
print((Value(2.0) * 3.0).data, numpy.arange(4.0) @ numpy.ones(4))
"""


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with started() as browser:
        yield browser


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    with a_reader(chromium) as context:
        yield context


@pytest.fixture
def live(context: BrowserContext, site: Site) -> Iterator[LivePage]:
    live = opened(context, site.address + PAGE)
    yield live
    assert live.problems == []


def test_nothing_is_asked_for_before_the_click(site: Site, live: LivePage) -> None:
    live.page.wait_for_load_state("networkidle")
    asked = [name for name in site.asked if "live/" in name or "worker" in name]
    assert asked == ["live/button.js"]
    assert live.page.evaluate("navigator.serviceWorker.getRegistrations()") == []


def test_minutes_stand_beside_the_button_that_takes_them(
    context: BrowserContext, site: Site
) -> None:
    page = opened(context, f"{site.address}chapters/18_gpt.html").page
    assert "all cells take about" in str(
        page.locator(".live-start").get_attribute("title")
    )
    page.locator(".live-start").click()
    button = page.get_by_role("button", name="Run all", exact=True)
    button.wait_for()
    note = page.locator(".live-minutes")
    assert re.fullmatch(r"(about|more than) \d+ min", note.inner_text())
    assert button.get_attribute("aria-describedby") == note.get_attribute("id")


@pytest.mark.exhaustive  # without a server it is tried always
def test_without_network_it_opens_and_runs_again(
    live: LivePage, context: BrowserContext, site: Site
) -> None:
    live.start()
    assert live.run(2, SUM) == "6.0 6.0"
    live.wait_until_kept()
    site.instead = dict.fromkeys(every_file(site))
    context.set_offline(True)
    live.page.reload()
    live.start()
    assert live.run(2, SUM) == "6.0 6.0"
    live.problems.clear()


@pytest.mark.exhaustive
def test_a_start_does_not_wait_long_for_the_service_worker(
    live: LivePage, site: Site
) -> None:
    gate = site.held["service-worker.js"] = threading.Event()
    live.start()
    assert "is ready" in live.status()
    gate.set()


IMAGES = """
async () => (await (await caches.open("autograd-live")).keys())
    .map((one) => one.url).filter((one) => one.includes("/image?"))
"""
SPOIL = """
async (address) => (await caches.open("autograd-live"))
    .put(address, new Response(new Uint8Array(1000)))
"""
STATE = "import random; print(hash('a'), random.random(), 'numpy' in globals())"


def test_a_second_start_goes_on_from_the_first_ones_memory(live: LivePage) -> None:
    live.start()
    seed, number, _ = live.run(2, STATE).split()
    live.wait_until_kept()
    (image,) = live.page.evaluate(IMAGES)
    live.page.reload()
    live.start()
    again, other, has = live.run(2, STATE).split()
    assert again == seed  # Python draws it once, when it begins
    assert other != number
    assert has == "False"
    assert live.run(2, SUM) == "6.0 6.0"
    assert live.page.evaluate(IMAGES) == [image]


@pytest.mark.exhaustive  # a whole one is tried always
def test_a_memory_that_is_damaged_is_taken_anew(live: LivePage) -> None:
    live.start()
    seed = live.run(2, STATE).split()[0]
    live.wait_until_kept()
    (image,) = live.page.evaluate(IMAGES)
    live.page.evaluate(SPOIL, image)
    live.press("Restart")
    live.wait_for("is ready")
    assert live.run(2, STATE).split()[0] != seed
    seed = live.output(2).split()[0]
    live.press("Restart")
    live.wait_for("is ready")
    assert live.run(2, STATE).split()[0] == seed


def every_file(site: Site) -> list[str]:
    files = (path for path in site.html.rglob("*") if path.is_file())
    return [path.relative_to(site.html).as_posix() for path in files]


@pytest.mark.parametrize(
    "content",
    [pytest.param(None, marks=pytest.mark.exhaustive), b"something else"],
    ids=["none", "wrong"],
)
def test_numpy_that_is_missing_or_wrong_is_not_used(
    context: BrowserContext, site: Site, content: bytes | None
) -> None:
    site.alter("live/pyodide-*/numpy-*.whl", content)
    live = opened(context, site.address + PAGE).start()
    assert live.run(2, "sum([1, 2])") == "3"
    assert "numpy" in live.run(3, "import numpy")
    assert live.run(2, "sum([1, 2])") == "3"


PUBLIC = """
async function loadPublic({{ _makeSnapshot, _loadSnapshot, ...options }}) {{
  const pyodide = await {}(options);
  for (const name of Object.keys(pyodide._module)) {{
    if (name.startsWith("_PyUnstable_")) pyodide._module[name] = undefined;
  }}
  return pyodide;
}}
export {{ loadPublic as loadPyodide }};
"""
IMAGE = """
caches.open("autograd-live").then((kept) => kept.keys())
    .then((kept) => kept.some(({ url }) => url.includes("/image?")))
"""


@pytest.mark.exhaustive  # it changes when Pyodide does
def test_without_the_private_parts_of_pyodide_a_page_runs_too(
    site: Site, context: BrowserContext
) -> None:
    """So a Pyodide that takes no image of its memory, or has other names, will do."""
    (path,) = site.html.glob("live/pyodide-*/pyodide.mjs")
    source = path.read_text("utf-8")
    ((export, name),) = re.findall(r"((\w+) as loadPyodide,?)", source)
    public = source.replace(export, "") + PUBLIC.format(name)
    site.alter("live/pyodide-*/pyodide.mjs", public.encode())
    live = opened(context, site.address + PAGE).start()
    assert live.run(2, SUM) == "6.0 6.0"
    assert live.page.evaluate(IMAGE) is False
    live.press("Restart")
    live.wait_for("is ready")
    assert live.run(2, SUM) == "6.0 6.0"
    assert live.problems == []


def test_a_file_has_no_button(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.goto((site.html / PAGE).as_uri())
    assert page.get_by_role("button", name="Run this page").count() == 0


def test_without_its_files_the_button_says_so(
    context: BrowserContext, site: Site
) -> None:
    site.alter("live/code-*/page.mjs", None)
    live = opened(context, site.address + PAGE)
    button = live.page.get_by_role("button", name="Run this page")
    button.click()
    assert "could not be made live" in live.page.get_by_role("alert").inner_text()
    assert button.is_enabled()
