"""A live page and a reader who comes back: what is kept, and what is shown of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from notebooks.notebook import FOLDED, ROOT, code_cells, read, tags
from tests.browser.helpers.browser import PHONE
from tests.browser.helpers.live_site import LivePage, Site
from tests.browser.test_browser_live import context as context
from tests.browser.test_browser_live import live as live
from tests.browser.test_browser_live import site as site

PAGE = "chapters/00_start_here.html"
UNFOLDED = [
    number
    for number, cell in enumerate(
        code_cells(read(ROOT / PAGE.replace("html", "ipynb"))), 1
    )
    if not FOLDED & {*tags(cell)}
]
KEPT = f"autograd-live /book/{PAGE}"
TOP = "e => e.getBoundingClientRect().top"
# Where an element comes to rest, once it has left a place.
STILL = """(e, away) => new Promise(done => {
    const look = before => {
        const top = e.getBoundingClientRect().top;
        if (top === before && top !== away) done(top); else setTimeout(look, 200, top);
    };
    look();
})"""
FORGET = (
    "caches.keys().then((all) => Promise.all(all.map((one) => caches.delete(one))))"
)
SOLUTION = "mine = 1\nfrom autograd_lib.book import check, reals\n"


def exercise(live: LivePage) -> int:
    """Return the number of the first exercise's cell."""
    script = (
        "[...document.querySelectorAll('div.cell')]"
        ".findIndex(e => e.classList.contains('tag_exercise')) + 1"
    )
    return int(live.page.evaluate(script))


@pytest.mark.exhaustive
def test_a_solved_exercise_is_seen_again_before_python_is_loaded(
    live: LivePage, site: Site
) -> None:
    number = exercise(live)
    live.start()
    verdict = live.run(number, f"{SOLUTION}check(abs, abs, reals(-3, 3))")
    assert verdict.startswith("✓")
    live.page.reload()
    live.page.get_by_text("✓ solved").wait_for()
    assert live.page.locator(".live-kept").all_inner_texts() == [
        "changed by you",
        "✓ solved",
    ]
    live.page.get_by_role("button", name="Run this page (1 cell changed)").wait_for()
    live.page.goto(site.address + "pages/progress.html")
    live.page.get_by_text("You have solved 1 of ").wait_for()
    with live.page.expect_download() as download:
        live.page.get_by_role("button", name="Export").click()
    saved = Path(download.value.path())
    assert list(json.loads(saved.read_text("utf-8"))) == [PAGE]
    live.page.evaluate("localStorage.clear()")
    live.page.locator("input[type=file]").set_input_files(
        {
            "name": "progress.json",
            "mimeType": "application/json",
            "buffer": saved.read_bytes(),
        }
    )
    live.page.get_by_text("You have solved 1 of ").wait_for()


@pytest.mark.exhaustive
def test_a_new_edition_hides_no_answer(live: LivePage) -> None:
    cells = {
        "exercise-0-1": {"source": "my answer = 1", "original": "another stub"},
        "gone": {"source": "lost_and_found = 2", "original": "old code"},
    }
    live.page.evaluate(
        "([key, text]) => localStorage.setItem(key, text)",
        [KEPT, json.dumps({"cells": cells})],
    )
    live.page.reload()
    live.start()
    exercise_cell = live.page.locator("#cell-exercise-0-1")
    assert "my answer = 1" in exercise_cell.inner_text()
    assert "has changed since you wrote this" in exercise_cell.inner_text()
    lost = live.page.locator(".live-orphans")
    lost.locator("summary").click()
    assert "lost_and_found = 2" in lost.inner_text()
    lost.get_by_role("button", name="Forget").click()
    assert lost.count() == 0


def test_reset_all_can_be_undone(live: LivePage) -> None:
    live.start()
    live.run(2, "print(6 * 7)")
    live.press("Reset all")
    assert "1 cell was reset" in live.status()
    assert "print(6 * 7)" not in live.page.locator("div.cell").nth(1).inner_text()
    live.press("Undo")
    assert "print(6 * 7)" in live.page.locator("div.cell").nth(1).inner_text()


@pytest.mark.exhaustive
def test_jupyters_keys_and_cells_of_ones_own(live: LivePage, tmp_path: Path) -> None:
    live.start()
    focused = "document.activeElement.getAttribute('aria-label')"
    live.run(2, "a = 1")
    assert f"cell {UNFOLDED[1]}." in live.page.evaluate(focused)
    live.write(2, "a = 2")
    live.page.keyboard.press("Control+Enter")
    live.wait_for("Cell 2 has run")
    assert "cell 2" in live.page.evaluate(focused)
    live.write(2, "a = 3")
    live.page.keyboard.press("Alt+Enter")
    live.page.keyboard.insert_text("print(a + 1)")
    live.page.keyboard.press("Control+Enter")
    live.wait_for("Cell 2\\+ has run")
    own = live.page.locator(".live-own")
    assert "4" in own.locator(".cell_output").inner_text()
    cells = live.notebook(tmp_path).cells
    (added,) = [c for c in cells if "own" in c.metadata.get("tags", ())]
    assert added.source == "print(a + 1)"
    live.page.reload()
    live.start()
    assert "print(a + 1)" in own.inner_text()
    own.get_by_role("button", name="Remove").click()
    assert own.count() == 0
    live.press("Undo")
    assert "print(a + 1)" in own.inner_text()


@pytest.mark.exhaustive
def test_marks_say_what_the_outputs_are_of(live: LivePage) -> None:
    live.start()
    mark = live.page.locator("div.cell").nth(1).locator(".live-mark")
    assert mark.inner_text() == "not run yet"
    live.run(2, "a = 1")
    assert mark.inner_text().startswith("run ")
    live.write(2, "a = 2")
    assert mark.inner_text() == "changed since it ran"
    live.press("Restart")
    live.wait_for("is ready")
    assert mark.inner_text() == "not run yet"


def test_a_missing_name_leads_to_the_cell_that_makes_it(live: LivePage) -> None:
    live.start()
    live.write(2, "made_above = 5")
    live.write(3, "1 + 1")
    assert "NameError" in live.run(4, "print(made_above)")
    help_ = live.page.locator(".live-help")
    assert "made_above is made in cell 2" in help_.inner_text()
    help_.get_by_role("button", name="Run to here").click()
    live.wait_for("4 cells have run")
    assert live.output(4) == "5"


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(None, id="desktop", marks=pytest.mark.exhaustive),
        pytest.param(PHONE, id="phone"),
    ],
)
def test_the_place_is_kept_and_links_lead_below_the_bar(
    live: LivePage, size: object
) -> None:
    if size:
        live.page.set_viewport_size(PHONE)
    heading = live.page.locator("h2").nth(3)
    heading.evaluate("e => e.scrollIntoView({behavior: 'instant'})")
    before = heading.evaluate(STILL)
    # Playwright's own click scrolls; a reader's does not.
    button = live.page.get_by_role("button", name="Run this page")
    button.evaluate("e => e.click()")
    live.wait_for("is ready")
    assert abs(heading.evaluate(TOP) - before) < 40  # the bar itself may push a little
    bar = live.page.locator(".live-bar")
    bottom = bar.evaluate("e => e.getBoundingClientRect().bottom")
    if size:
        assert bottom < 130
    exercises = live.page.locator("#exercises")
    away = exercises.evaluate(TOP)
    live.page.evaluate("location.hash = 'exercises'")
    top = exercises.evaluate(STILL, away)  # the page glides there
    below = top - bar.evaluate("e => e.getBoundingClientRect().bottom")
    assert -1 <= below < 40


def test_a_block_runs_with_what_is_above_it(live: LivePage) -> None:
    live.page.locator(".live-here:visible").first.click()
    live.wait_for("cells have run")
    assert live.page.locator(".live-here").count() == 0


@pytest.mark.exhaustive
def test_what_is_loaded_is_shown(live: LivePage) -> None:
    live.page.evaluate(FORGET)
    button = live.page.get_by_role("button", name="Run this page")
    assert "MB" in str(button.get_attribute("title"))
    seen = "window.seen = false"
    watch = (
        f"{seen}; new MutationObserver(() => {{ const bar = "
        "document.querySelector('.live-bar progress'); "
        "if (bar && !bar.hidden && bar.value > 0) window.seen = true; })"
        ".observe(document, {subtree: true, childList: true, attributes: true})"
    )
    live.page.evaluate(watch)
    live.start()
    assert live.page.evaluate("window.seen") is True
    assert live.page.locator(".live-bar progress").is_hidden()


def test_what_was_kept_under_old_names_follows_the_chapters(live: LivePage) -> None:
    root = KEPT.removesuffix("00_start_here.html")
    solved, note = {"checks": {"exercise-5-1": "✓"}}, {"own": {"abc": ["print(1)"]}}
    new = {"checks": {"exercise-4-1": "✓"}, "numbers": 3}
    before = {
        "05_order.html": solved,
        "exercises_2.html": solved,
        "exercises_3.html": new,
        "00_start_here.html": note,
        "25_pytorch.html": note,
        "15_pytorch.html": new,
    }
    live.page.evaluate(
        "kept => kept.forEach(([key, value]) => localStorage.setItem(key, value))",
        [(root + name, json.dumps(entry)) for name, entry in before.items()],
    )
    live.page.reload()
    found = live.page.evaluate("Object.entries(localStorage)")
    assert {key: json.loads(text) for key, text in found if key.startswith(root)} == {
        f"{root}04_order.html": new,
        f"{root}exercises_2.html": new,
        f"{root}exercises_3.html": new,
        f"{root}00_start_here.html": note | {"numbers": 3},
        f"{root}15_pytorch.html": new,
    }
