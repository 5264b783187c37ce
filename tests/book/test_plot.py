"""Figures as SVG: the same each time, apart on one page, described."""

import re
import xml.etree.ElementTree as ET

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import pytest

from autograd_lib.book.picture import mixed
from autograd_lib.book.plot import STYLE, Plot
from notebooks.notebook import code_cells, notebook_paths, read
from tests.book.helpers.contrast import coloured_lines, themes

ALT = "A line that rises from zero to one."
with plt.style.context(STYLE):
    COLOURS = [one["color"] for one in plt.rcParams["axes.prop_cycle"]]


def figure(height=1.0):
    with plt.style.context(STYLE):
        fig, ax = plt.subplots()
        ax.plot([0, 1], [0, height], marker="o")
        ax.set_title("It rises")
        ax.set_xlabel("$x^2$")
    return fig


def figures(path):
    """Yield the figures of Matplotlib's among the outputs of a notebook."""
    for cell in code_cells(read(path)):
        for output in cell.outputs:
            svg = output.get("data", {}).get("image/svg+xml", "")
            if "DejaVu" in svg:
                yield svg


def identified(svg):
    return {e.get("id"): e for e in ET.fromstring(svg).iter() if e.get("id")}


def test_the_same_figure_gives_the_same_svg():
    assert Plot(figure(), ALT).svg == Plot(figure(), ALT).svg


def test_an_id_means_the_same_in_every_figure_of_a_page():
    first = identified(Plot(figure(), ALT).svg)
    second = identified(Plot(figure(2.0), "A line that rises from zero to two.").svg)
    shared = first.keys() & second.keys()
    for name in shared:
        assert ET.tostring(first[name]) == ET.tostring(second[name])
    # Only the shapes of letters are shared: clips and markers are each figure's own.
    assert all(re.match("DejaVuSans", name) for name in shared)


def test_every_reference_leads_to_an_element_of_the_figure():
    svg = Plot(figure(), ALT).svg
    references = set(re.findall(r'(?:url\(|href=")#([^")]+)', svg))
    assert references
    assert references == identified(svg).keys()


def test_text_and_axes_take_the_colour_of_the_page_and_nothing_is_black():
    svg = Plot(figure(), ALT).svg
    assert "stroke: currentColor" in svg
    assert not re.search(r"#000000|\bblack\b|#ffffff", svg)


def test_the_data_keep_the_colours_of_the_style():
    assert "#2b8cc4" in Plot(figure(), ALT).svg


def test_what_is_white_takes_the_colour_of_the_page():
    with plt.style.context(STYLE):
        fig, ax = plt.subplots()
        ax.text(0, 0, "a", color="white", bbox={"fc": "white", "ec": "C0"})
    svg = Plot(fig, ALT).svg
    assert svg.count("fill: #ffffff; fill: var(--pst-color-background,#fff)") == 2
    assert svg.count("#ffffff") == 2


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colour", COLOURS)
def test_lines_and_words_in_a_colour_of_the_style_stand_out(theme, colour):
    assert themes()[theme].contrast(colour) >= 3
    assert themes()[theme].contrast(mixed(colour)) >= 4.5


def test_coloured_words_are_mixed_with_the_colour_of_the_text():
    with plt.style.context(STYLE):
        fig, ax = plt.subplots()
        ax.text(0, 0, "two\nlines", color="C1", rotation=30)
        ax.text(0, 0, "$x^2$", color="C2", alpha=0.5, bbox={"fc": "C0"})
        ax.set_axis_off()
        svg = Plot(fig, ALT).svg
    lines = [(mixed(COLOURS[1]), 1.0)] * 2 + [(mixed(COLOURS[2]), 0.5)]
    assert list(coloured_lines(svg)) == lines


@pytest.mark.parametrize("path", notebook_paths(), ids=lambda path: path.stem)
def test_every_word_of_a_stored_figure_is_legible_in_both_themes(path):
    found = {word for svg in figures(path) for word in coloured_lines(svg)}
    faint = [
        (name, *word, round(theme.contrast(*word), 2))
        for name, theme in themes().items()
        for word in found
        if theme.contrast(*word) < 4.5
    ]
    assert faint == []


def test_no_style_sheet_reaches_the_rest_of_the_page():
    svg = Plot(figure(), ALT).svg
    assert re.findall(r"<style.*?</style>", svg, re.DOTALL) == [
        "<style>svg:root{color:#777}</style>"
    ]
    assert ET.fromstring(svg).get("stroke-linejoin") == "round"


def test_the_figure_is_described_and_closed():
    fig = figure()
    plot = Plot(fig, ALT)
    assert not plt.fignum_exists(fig.number)
    assert repr(plot) == f"[figure: {ALT}]"
    assert ET.fromstring(plot.svg).get("aria-label") == ALT


@pytest.mark.parametrize("alt", ["", "A line", None])
def test_a_description_that_says_too_little_is_refused(alt):
    fig = figure()
    with pytest.raises(ValueError, match="Plot: alt must say what a reader would see"):
        Plot(fig, alt)
    plt.close(fig)


@pytest.mark.parametrize("fig", [None, "figure", plt])
def test_only_a_figure_is_a_figure(fig):
    with pytest.raises(TypeError, match="Plot: fig must be a Matplotlib figure"):
        Plot(fig, ALT)
