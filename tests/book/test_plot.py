"""Figures as SVG: the same each time, apart on one page, described."""

import re
import xml.etree.ElementTree as ET

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import pytest

from autograd_lib.book.plot import STYLE, Plot

ALT = "A line that rises from zero to one."


def figure(height=1.0):
    with plt.style.context(STYLE):
        fig, ax = plt.subplots()
        ax.plot([0, 1], [0, height], marker="o")
        ax.set_title("It rises")
        ax.set_xlabel("$x^2$")
    return fig


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
