"""Scenes: steps over a drawing of their own, and all orders of a graph's turns."""

from __future__ import annotations

import doctest
import gzip
import json
import re
import xml.etree.ElementTree as ET
from html import unescape
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograd_lib.scalar.value import Value
from autograd_lib.small.graph import Number
from autograd_lib.stepper.alive import alive, mountains
from autograd_lib.stepper.growing import growing
from autograd_lib.stepper.jacobian import jacobian_steps
from autograd_lib.stepper.orders import orders
from autograd_lib.stepper.page import Stepper, assets
from autograd_lib.stepper.peel import peel
from autograd_lib.stepper.ring import ring
from autograd_lib.stepper.scene import Scene, frame, part, shown, words
from autograd_lib.stepper.steps import Step
from autograd_lib.stepper.valley import valley
from autograd_lib.stepper.writes import writes

SVG = "{http://www.w3.org/2000/svg}"


def data_of(stepper: Stepper) -> Any:
    """Return what the scripts are given."""
    text = re.search(r"data-trace='([^']*)'", stepper._repr_html_())
    assert text
    return json.loads(unescape(text[1]))


def parts_of(stepper: Stepper) -> set[str]:
    """Return the names of the parts of a drawing."""
    root = ET.fromstring(stepper._repr_svg_() or "")
    classes = [group.get("class", "").split() for group in root.iter(f"{SVG}g")]
    return {found[1] for found in classes if found[:1] == ["node"]}


def weight(stepper: Stepper) -> int:
    """Return how many bytes a stepper adds to a page that has another one."""
    own = stepper._repr_html_().replace(assets()[1], "")
    return len(gzip.compress(own.encode()))


def check_move(stepper: Stepper) -> None:
    """Assert what holds of every scene: parts, words, looks, and its size."""
    data, parts = data_of(stepper), parts_of(stepper)
    named = {name for step in data["steps"] for name in step[2]}
    assert named == parts
    assert all(len(step[2][name]) == 3 for step in data["steps"] for name in step[2])
    assert repr(stepper).count("\n") == len(data["steps"])
    assert stepper.picture and len(stepper.picture.alt.split()) > 6
    assert not any(name[0] in "ne" for name in parts)
    assert weight(stepper) < 3000


MOVES = (
    *(alive, mountains, orders, jacobian_steps, peel),
    *(growing, writes, ring, valley),
)


TABLES = alive, mountains, jacobian_steps, ring
"""Moves that draw cells, which have corners, and no boxes."""


def example_of(move: FunctionType) -> Stepper:
    """Return what a move's example shows."""
    made = []

    def kept(*args: Any, **options: Any) -> Stepper:
        made.append(move(*args, **options))
        return made[-1]

    names = {**move.__globals__, move.__name__: kept}
    [example] = doctest.DocTestFinder(recurse=False).find(move, globs=names)
    assert not doctest.DocTestRunner().run(example).failed
    [shown_] = made
    return shown_


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
def test_the_example_of_a_move_adds_less_than_3_kb(move: FunctionType) -> None:
    assert 300 < weight(example_of(move)) < 3000


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
def test_boxes_and_arrows_of_a_move_are_those_of_graphs(move: FunctionType) -> None:
    """Corners are round, and heads are filled: no line turns back."""
    svg = example_of(move)._repr_svg_() or ""
    corners = re.findall(r"M[\d.,]+h[\d.]+v[\d.]+h-[\d.]+z", svg)
    assert bool(corners) == (move in TABLES)
    assert not re.search(r"M[\d.,]+L[\d.,]+M[\d.,]+L", svg)
    if move in (orders, peel, ring):
        assert "<polygon" in svg


def test_a_scene_has_parts_with_texts_and_looks() -> None:
    drawn = part("a", frame(2, 2, 40, 20) + words(22, 16)) + words(60, 16, "a<b")
    steps = [
        Step("Start", "", {"a": ("3", "", "held")}, "An array is made."),
        Step("Forward", "", {"a": ("3", "", "gone")}, "It is freed."),
    ]
    scene = Scene("One array", steps, ("Rate", ["0.1", "0.2"]))
    stepper = shown(scene, drawn, 80, 24, "A box with a three, and two letters.")
    check_move(stepper)
    assert data_of(stepper)["dial"] == ["Rate", ["0.1", "0.2"]]
    assert 'aria-label="One array"' in stepper._repr_html_()
    assert "a&lt;b" in (stepper._repr_svg_() or "")


def three() -> Value:
    a = Value(1.0, "a")
    b = a * a
    s = b + a
    c = s * b
    b.label, s.label, c.label = "b", "s", "c"
    return c


def test_all_orders_of_three_turns() -> None:
    stepper = orders(three())
    check_move(stepper)
    *_, last, end = repr(stepper).splitlines()
    assert last.endswith("Third turn: c, s, c, b, s, b. a has 0, 1, 0, 4, 5 and 7 now.")
    assert end.endswith(
        "a ends with 0, 1, 0, 4, 5 and 7. Its derivative is 7: c, s, b."
    )


def test_each_copy_lights_the_number_whose_turn_it_is() -> None:
    steps = data_of(orders(three()))["steps"]
    lit = [
        [name for name, lines in step[2].items() if lines[2] == "now"] for step in steps
    ]
    assert [sorted(name[1] for name in some) for some in lit] == [
        [],
        *[list("012345")] * 3,
        [],
    ]
    # In the last copy it is c, then s, then b.
    assert [[n[2] for n in some if n[1] == "5"] for some in lit[1:4]] == [
        ["3"],
        ["2"],
        ["1"],
    ]


def test_orders_of_too_many_numbers_are_refused() -> None:
    x = Value(1.0, "x")
    with pytest.raises(ValueError, match="orders: 4 numbers have parents"):
        orders(three() * x)
    with pytest.raises(ValueError, match="orders: 1 numbers have parents"):
        orders(x * x)


def test_orders_takes_numbers_of_the_reader_s_engine() -> None:
    a = Number(1.0)
    b = a * a
    s = b + a
    c = s * b
    for number, label in zip((a, b, s, c), "absc", strict=True):
        number.label = label
    assert repr(orders(c)) == repr(orders(three()))


X = np.arange(1.0, 13.0).reshape(3, 4)
W = np.arange(-3.0, 5.0).reshape(4, 2)
Y_BAR = np.array([[1.0, 0.0], [2.0, -1.0], [0.0, 0.5]])
TABLE = np.kron(np.eye(3), W.T)


def test_a_table_is_painted_read_off_and_thrown_away() -> None:
    stepper = jacobian_steps(TABLE, Y_BAR, Y_BAR @ W.T, "Y_bar @ W.T")
    check_move(stepper)
    said = [step.sentence for step in stepper.trace.steps]
    assert said[0] == "6 outputs, 12 inputs: a table of 72 slopes."
    assert said[-1] == (
        "The table is thrown away. Y_bar @ W.T gives the same without it."
    )
    steps = data_of(stepper)["steps"]
    row = [steps[-1][2][f"x{k}"][0] for k in range(4, 8)]
    assert [float(x) for x in row] == (Y_BAR @ W.T)[1].tolist()
    assert {steps[-1][2][f"r{i}"][2] for i in range(6)} == {"gone"}
    svg = ET.fromstring(stepper._repr_svg_() or "")
    assert len(list(svg.iter(f"{SVG}rect"))) == np.count_nonzero(TABLE)


def test_a_rule_that_gives_others_is_told_so() -> None:
    wrong = jacobian_steps(TABLE, Y_BAR, Y_BAR @ W.T + 1, "Y_bar @ W.T + 1")
    assert "gives others, by up to 1." in repr(wrong)


def test_a_table_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit gradients"):
        jacobian_steps(TABLE, Y_BAR, X.T @ Y_BAR, "X.T @ Y_bar")
    big = np.eye(13)
    with pytest.raises(ValueError, match="at most 12 rows"):
        jacobian_steps(big, np.ones((1, 13)), np.ones((1, 13)), "Y_bar")


def box(label: str, data: Any, *parents: Any) -> Any:
    return SimpleNamespace(label=label, data=data, parents=parents)


def test_levels_are_peeled_the_highest_first() -> None:
    """As in x · d/dy (x y), where the inner gradient is a box of x's level."""
    x, y = box("x", 3.0), box("y", 4.0)
    inner = box("mul", box("mul", 12.0, x), y)
    slope = box("mul", 3.0, x)
    outer = box("mul", 9.0, x, slope)
    stepper = peel((inner, slope), (outer, 6.0))
    check_move(stepper)
    said = [step.sentence for step in stepper.trace.steps]
    assert said[1].startswith("Level 2 goes backward and gives [3]: a box of level 1")
    assert said[3].startswith("Level 1 goes backward and gives 6: a number, so no")
    steps = data_of(stepper)["steps"]
    assert steps[0][2]["b01"] == ["mul", "[12]", ""]
    assert steps[1][2]["b11"] == ["mul", "3", "back"]
    assert steps[2][2]["l0"][2] == "gone"
    lost = peel((inner, 3.0), (outer, 3.0))
    assert "gives 3: a number, so no level has recorded" in repr(lost)


def test_there_is_a_level_to_peel() -> None:
    with pytest.raises(ValueError, match="at least one level"):
        peel()


def test_an_array_is_alive_from_when_it_is_made_until_it_goes() -> None:
    stepper = alive([("x comes", ["x"]), ("h is made", ["x", "h"]), ("h goes", ["x"])])
    check_move(stepper)
    looks = [
        {name: lines[2] for name, lines in step[2].items() if name[0] == "a"}
        for step in data_of(stepper)["steps"]
    ]
    assert looks == [
        {"a0_0": "now"},
        {"a1_0": "held", "a1_1": "now"},
        {"a2_0": "held", "a2_1": "gone"},
    ]
    with pytest.raises(ValueError, match="no array is alive"):
        alive([("nothing", [])])


def test_mountains_stand_to_one_scale_and_tell_their_peaks() -> None:
    stepper = mountains("MB", {"kept": [1, 4, 1], "thrown away": [1, 2, 1, 2, 0]})
    check_move(stepper)
    assert repr(stepper).endswith("At most: kept 4 and thrown away 2 MB.")
    svg = stepper._repr_svg_() or ""
    heights = {
        name: float(height)
        for name, height in re.findall(r"node (m\d_\d).*?v([\d.]+)", svg)
    }
    assert heights["m0_1"] == 2 * heights["m1_1"] == 60
    with pytest.raises(ValueError, match="each with its moments"):
        mountains("MB", {"kept": []})


@pytest.mark.parametrize("programs", [1, 2, 3])
def test_mountains_of_many_moments_are_as_high_and_add_less_than_3_kb(
    programs: int,
) -> None:
    held = np.random.default_rng(programs).uniform(1, 100, (programs, 90))
    profiles = {f"program {k}": one.tolist() for k, one in enumerate(held)}
    stepper = mountains("MB", profiles)
    check_move(stepper)
    assert len(stepper.trace.steps) == 90 // programs
    peaks = [f"{one.max():.4g}" for one in held]
    assert re.findall(r"program \d ([\d.]+)", repr(stepper).splitlines()[-1]) == peaks
    said = repr(stepper).splitlines()[1]
    assert ("holds at most" in said) == (programs > 1)


def test_a_program_grows_a_line_when_its_number_is_complete() -> None:
    a = Value(1.0, "a")
    b = a * a
    c = b * a
    b.label, c.label = "b", "c"
    source = """
def step(a):
    b = a * a
    c = b * a
    c_bar = 1.0
    b_bar = c_bar * a
    a_bar = c_bar * b + b_bar * a + b_bar * a
    return a_bar
"""
    stepper = growing(c, source)
    assert stepper.code and [line.partition(" ")[0] for line in stepper.code.text] == [
        *("b", "c", "c_bar", "b_bar", "a_bar")
    ]
    titles = [step.title for step in stepper.trace.steps]
    assert list(zip(titles, stepper.written or [], strict=True)) == [
        ("Start", []),
        ("Forward", [0]),
        ("Forward", [1]),
        ("Backward", [2]),
        ("Backward", [3]),
        ("Backward", [4]),
        ("Finished", []),
    ]
    assert data_of(stepper)["written"] == stepper.written
    with pytest.raises(ValueError, match="growing: no line of the source gives 'c'"):
        growing(c, "b = a * a")


def test_a_read_compares_the_clock_with_the_save() -> None:
    saved, written = ("w", "save", "loss"), ("w", "write", "w -= d")
    read = ("w", "read", "loss")
    stepper = writes([saved, read, written, read, saved, read])
    check_move(stepper)
    said = [step.sentence for step in stepper.trace.steps if step.title == "Backward"]
    assert [one.rpartition(": ")[2] for one in said] == [
        "saved at version 0, now 0. As it was.",
        "saved at version 0, now 1. An error.",
        "saved at version 1, now 1. As it was.",
    ]
    with pytest.raises(ValueError, match="'read' of 'w' by 'loss'"):
        writes([read])


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_a_ring_gives_every_rank_the_sum(n: int) -> None:
    arrays = np.random.default_rng(n).integers(0, 99, (n, n))
    stepper = ring(arrays.tolist())
    check_move(stepper)
    held: dict[str, str] = {}
    for step in stepper.trace.steps:
        held |= {name: lines[0] for name, lines in step.lines.items()}
    sums = arrays.sum(0)
    for r in range(n):
        assert [float(held[f"c{r}{k}"]) for k in range(n)] == sums.tolist()
    assert len(stepper.trace.steps) == 2 * (n - 1) + 2
    with pytest.raises(ValueError, match="two to six ranks"):
        ring(arrays.tolist()[1:])


def test_the_slider_of_a_valley_sets_the_rate() -> None:
    def descent(rate: float) -> list[tuple[float, float]]:
        return [(4 * (1 - 2 * rate) ** k, 1.0) for k in range(9)]

    rates = [0.1, 0.5, 1.1, 1e30]
    stepper = valley(lambda x, y: x * x, {"descent": descent}, rates, (-5, 5, 0, 2))
    check_move(stepper)
    data = data_of(stepper)
    assert data["dial"] == ["Rate", ["rate 0.1", "rate 0.5", "rate 1.1", "rate 1e+30"]]
    shown_at = [
        [n for n, v in step[2].items() if v[2] != "off"] for step in data["steps"]
    ]
    assert shown_at == [["p0_0"], ["p1_0"], ["p2_0"], ["p3_0"]]
    with pytest.raises(ValueError, match="two rates or more"):
        valley(lambda x, y: x * x, {"descent": descent}, [0.1], (-5, 5, 0, 2))


def test_a_valley_of_eight_rates_adds_less_than_3_kb() -> None:
    def path(keep: float) -> Any:
        def places(rate: float) -> list[tuple[float, float]]:
            x, y, u, v = -4.0, 1.0, 0.0, 0.0
            found = [(x, y)]
            for _ in range(30):
                u, v = keep * u + 0.2 * x, keep * v + 4 * y
                x, y = x - rate * u, y - rate * v
                found.append((x, y))
            return found

        return places

    paths = {"descent": path(0.0), "heavy": path(0.7), "heavier": path(0.85)}
    rates = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    stepper = valley(lambda x, y: 0.1 * x * x + 2 * y * y, paths, rates, (-5, 5, -2, 2))
    check_move(stepper)
