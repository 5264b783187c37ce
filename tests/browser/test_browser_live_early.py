"""Buttons that are pressed while Python is still starting: a stand-in, to be quick."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from notebooks.notebook import ROOT, code_cells, read
from tests.browser.helpers.live_site import (
    LivePage,
    Site,
    a_reader,
    opened,
    serving,
    started,
)

# It is ready when it has the whole of a file, and puts out the code of a cell.
PYTHON = b"""
const say = (type, more) => postMessage({ type, ...more });
let ready, count = 0;
onmessage = async ({ data: { type, source } }) => {
    if (type === "start") {
        say("status", { text: "Half is here." });
        ready = fetch("sizes.json").then((answer) => answer.text());
        await ready;
        say("ready", { text: "Python is ready." });
    } else {
        await ready;
        say("output", { output: { output_type: "stream", text: source } });
        say("done", { ended: "ok", count: ++count });
    }
};
"""

# Makes the page live, and presses buttons as soon as the bar says certain words.
PRESS = """([words, names]) => new Promise((done) => {
    const press = async (_, watching) => {
        const status = document.querySelector(".live-status")?.textContent ?? "";
        if (!status.includes(words)) return;
        watching.disconnect();
        for (const name of names) {
            [...document.querySelectorAll(".live-button")]
                .find((one) => (one.ariaLabel ?? one.textContent) === name).click();
            await new Promise((next) => setTimeout(next));
        }
        done();
    };
    new MutationObserver(press).observe(document.body, {
        childList: true, subtree: true, characterData: true,
    });
    document.querySelector(".live-start").click();
})"""
BEFORE_ITS_WORKER = "Loading Python: "  # the service worker keeps it waiting
HALF_LOADED = "Half is here"
WHEN_READY = "is ready"
SOON = 20_000
ALL, STOP, CELL_2 = "Run all", "Stop", "Run, cell 2"
PAGE = "chapters/00_start_here"
SOURCES = [cell.source for cell in code_cells(read(ROOT / f"{PAGE}.ipynb"))]


@pytest.fixture
def gate() -> threading.Event:
    """Return what lets Python start, and then become ready."""
    return threading.Event()


@pytest.fixture
def site(gate: threading.Event) -> Iterator[Site]:
    with serving() as site:
        site.alter("live/code-*/worker.mjs", PYTHON)
        for path in (site.html / "live").glob("code-*/sizes.json"):
            site.held[path.relative_to(site.html).as_posix()] = gate
        yield site
        gate.set()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with started() as browser:
        yield browser


@pytest.fixture
def live(chromium: Browser, site: Site) -> Iterator[LivePage]:
    with a_reader(chromium) as context:
        live = opened(context, f"{site.address}{PAGE}.html")
        yield live
        assert live.problems == []


def marks(live: LivePage) -> list[str]:
    return live.page.locator(".live-mark").all_text_contents()


def output(live: LivePage) -> str:
    """Return what is below cell 2."""
    return live.output(2)


def runs(first: int) -> list[str]:
    """Return the marks of all cells, which have run in order."""
    return [f"run {i}" for i in range(first, first + len(SOURCES))]


WHOLE, SECOND = runs(1), ["not run yet", "run 1", *["not run yet"] * (len(SOURCES) - 2)]


@pytest.mark.parametrize(
    ("moment", "pressed", "after"),
    [
        (BEFORE_ITS_WORKER, [ALL, STOP, ALL], WHOLE),
        (HALF_LOADED, [CELL_2, ALL], runs(2)),
        (HALF_LOADED, [CELL_2, ALL, "Restart", CELL_2], SECOND),
        (WHEN_READY, [ALL], WHOLE),
        *(
            pytest.param(*one, marks=pytest.mark.exhaustive)
            for one in (
                (BEFORE_ITS_WORKER, [ALL], WHOLE),
                (BEFORE_ITS_WORKER, [CELL_2], SECOND),
                (BEFORE_ITS_WORKER, ["Restart", ALL], WHOLE),
                (HALF_LOADED, [ALL, ALL], WHOLE),
                (HALF_LOADED, [ALL, CELL_2], WHOLE),
                (HALF_LOADED, [ALL, STOP, CELL_2], SECOND),
            )
        ),
    ],
)
def test_what_is_pressed_early_runs_once(
    live: LivePage,
    site: Site,
    gate: threading.Event,
    moment: str,
    pressed: list[str],
    after: list[str],
) -> None:
    if moment == BEFORE_ITS_WORKER:
        site.held["service-worker.js"] = gate
    if moment == WHEN_READY:
        gate.set()
    live.page.evaluate(PRESS, [moment, pressed])
    if moment != WHEN_READY:
        assert "waiting" in marks(live)
        assert re.search("ell [12] (of .*)?runs", live.status())
    gate.set()
    said = "Cell 2 has run" if after == SECOND else f"{len(SOURCES)} cells have run"
    live.wait_for(said, SOON)
    assert marks(live) == after
    assert output(live) == SOURCES[1].strip()
    live.press(CELL_2)  # and nothing else was to run
    next_run = 1 + max(map(int, re.findall(r"run (\d+)", str(after))))
    live.page.get_by_text(f"run {next_run}", exact=True).wait_for(timeout=SOON)
    assert len(live.page.workers) == 1


def test_a_cell_that_waits_runs_as_it_was_left(
    live: LivePage, gate: threading.Event
) -> None:
    live.page.evaluate(PRESS, [HALF_LOADED, [CELL_2]])
    live.write(2, "'changed'")
    gate.set()
    live.wait_for("Cell 2 has run", SOON)
    assert output(live).strip() == "'changed'"
    assert marks(live)[1] == "run 1"


@pytest.mark.parametrize(
    "pressed",
    [pytest.param([ALL, STOP], marks=pytest.mark.exhaustive), [CELL_2, ALL, STOP]],
)
def test_stop_keeps_what_is_loaded_of_python(
    live: LivePage, gate: threading.Event, pressed: list[str]
) -> None:
    live.page.evaluate(PRESS, [HALF_LOADED, pressed])
    assert "Stopped before a cell ran" in live.status()
    gate.set()
    assert live.wait_for("is ready", SOON) == "Python is ready."
    live.press(CELL_2)
    live.wait_for("Cell 2 has run", SOON)
    assert marks(live) == SECOND
