"""The roads: their sections exist, take what they say, and need nothing else."""

from __future__ import annotations

import re

import pytest

from notebooks.notebook import ROOT
from tests.book.helpers.contents import CONTENTS
from tests.book.helpers.growth import glossary_terms
from tests.book.helpers.roads import Road, Step, cells_of, minutes, roads, unknown_terms
from tools.budget import APART

EACH = pytest.mark.parametrize("road", roads(), ids=lambda road: road.title)
TERMS = glossary_terms((ROOT / "pages" / "glossary.md").read_text("utf-8"))
LINES = 10  # of a box, each of some sixteen words


def test_there_are_two_short_roads() -> None:
    assert [road.title.split(":")[0] for road in roads()] == ["Two hours", "Six hours"]


@EACH
def test_its_steps_are_in_the_order_of_the_book(road: Road) -> None:
    places = [step.place for step in road.steps]
    assert places == sorted(places)
    assert len(set(road.steps)) == len(road.steps)


@EACH
def test_it_takes_what_it_says(road: Road) -> None:
    assert abs(minutes(road) - road.minutes) <= APART
    hours = {"Two": 2, "Six": 6}[road.title.split()[0]]
    assert road.minutes <= hours * 60


@EACH
def test_its_terms_are_on_it_or_in_its_box(road: Road) -> None:
    assert unknown_terms(road, TERMS) == {}
    words = re.sub(r"[$*`]", "", road.box).split()
    assert len(words) <= 16 * LINES


def test_a_term_that_is_off_the_road_is_found() -> None:
    steps = (Step("09_tensor.ipynb", "one-loop"),)
    (found,) = unknown_terms(Road("", steps, "", 0), TERMS).values()
    assert any("Rule" in line for line in found)


def test_a_section_ends_where_the_next_one_begins() -> None:
    cells = cells_of(Step("09_tensor.ipynb", "one-loop")).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert text.startswith("## One loop")
    assert text.count("\n## ") == 0


def test_a_section_that_is_gone_is_an_error() -> None:
    with pytest.raises(LookupError, match="no section 'nowhere'"):
        cells_of(Step("09_tensor.ipynb", "nowhere"))


def test_the_whole_names_the_last_chapter() -> None:
    text = (ROOT / "pages" / "roads.md").read_text("utf-8").partition("## The whole")[2]
    assert f"{CONTENTS[-1].notebook}.ipynb" in text
