"""einsum where cases cannot show it: random subscripts, bad input, views."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograd_lib.engine.ops.einsum import spelled_out
from autograd_lib.engine.tape.tensor import Tensor

SIZES = {"i": 2, "j": 3, "k": 1, "l": 2}


@st.composite
def sums(draw: Any) -> tuple[str, list[np.ndarray]]:
    """Return subscripts, and operands; axes may be of length 1 where others are not."""
    letters = st.text("ijkl", max_size=3)
    terms = draw(st.lists(letters, min_size=1, max_size=3))
    dots = draw(st.lists(st.integers(-1, 2), min_size=len(terms), max_size=len(terms)))
    used = sorted(set("".join(terms)))
    out = "".join(draw(st.permutations(used)))[: draw(st.integers(0, len(used)))]
    random = np.random.default_rng(draw(st.integers(0, 99)))
    operands, spelled = [], []
    for term, n in zip(terms, dots, strict=True):
        one = draw(st.booleans())  # this operand is broadcast
        shape = [1 if one and term.count(c) == 1 else SIZES[c] for c in term]
        extra = [1 if one else 3 - i for i in range(2)][2 - max(n, 0) :]
        at = draw(st.integers(0, len(term)))
        spelled.append(term if n < 0 else term[:at] + "..." + term[at:])
        shape = shape if n < 0 else shape[:at] + extra + shape[at:]
        operands.append(random.normal(size=shape))
    arrow = "->" + "..." * (max(dots) >= 0) + out if draw(st.booleans()) else ""
    return ",".join(spelled) + arrow, operands


@settings(max_examples=300, deadline=None)
@given(sums(), st.booleans())
def test_random_sums_have_the_slopes_of_single_elements(
    program: tuple[str, list[np.ndarray]], optimize: bool
) -> None:
    """A sum of products is linear in each operand: slopes are its values at 0 and 1."""
    subscripts, operands = program
    leaves = [Tensor(x, True) for x in operands]
    try:
        right = np.einsum(subscripts, *operands)
    except ValueError:  # such as an axis of length 1 in a diagonal
        return
    y = np.einsum(subscripts, *leaves, optimize=optimize)
    np.testing.assert_allclose(y.data, right, rtol=1e-12, atol=1e-12)
    weights = np.cos(np.arange(y.size)).reshape(y.shape)
    y.backward(weights)
    for i, t in enumerate(leaves):
        for index in np.ndindex(t.shape):
            unit = np.zeros(t.shape)
            unit[index] = 1.0
            moved = [*operands[:i], unit, *operands[i + 1 :]]
            slope = (np.einsum(subscripts, *moved) * weights).sum()
            assert t.grad is not None
            assert t.grad.data[index] == pytest.approx(slope, rel=1e-10, abs=1e-10)


def test_subscripts_are_spelled_out() -> None:
    assert spelled_out("ij,jk", [2, 2]) == (["ij", "jk"], "ik")
    assert spelled_out("b...a", [4]) == (["bcda"], "cdab")
    assert spelled_out("...i, ...i -> ...", [3, 2]) == (["abi", "bi"], "ab")
    assert spelled_out("ii", [2]) == (["ii"], "")


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (2, 3)]),
        ("ij", [(2, 3), (2, 3)]),
        ("ij,jk", [(2, 3)]),
        ("ijk", [(2, 3)]),
        ("i", [(2, 3)]),
        ("i->j", [(2,)]),
        ("i->ii", [(2,)]),
        ("ii", [(2, 3)]),
        ("i?", [(2, 3)]),
        ("..i", [(2, 3)]),
        ("...i->i", [(2, 3)]),
        ("i-i", [(2,)]),
    ],
)
def test_what_does_not_fit_is_named(subscripts: str, shapes: Any) -> None:
    operands = [Tensor(np.ones(shape), True) for shape in shapes]
    with pytest.raises(ValueError, match=r"einsum: '.*' does not fit operands of"):
        np.einsum(subscripts, *operands)


def test_lists_of_axes_are_numbers_that_have_a_letter() -> None:
    x = Tensor(np.ones((2, 3)), True)
    for arguments in ((x,), (x, [0, 52]), (x, [0, -1]), (x, 3), (x, ["a", "b"])):
        with pytest.raises(TypeError, match=r"einsum: takes .* numbers from 0 to 51"):
            np.einsum(*arguments)
    with pytest.raises(ValueError, match=r"einsum: 'AB->C' does not fit operands of"):
        np.einsum(x, [0, 1], [2])


def test_lists_of_axes_give_what_numpy_gives() -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    for more in ([], [[2, 0]], [[30]]):
        axes = [26, 30] if more == [[30]] else [0, 1]
        arguments = [axes, b, [axes[1], 2], *more]
        found = np.einsum(Tensor(a, True), *arguments)
        np.testing.assert_array_equal(found.data, np.einsum(a, *arguments))


def test_other_options_are_refused() -> None:
    x = Tensor(np.ones((2, 3)), True)
    with pytest.raises(TypeError, match=r"out"):
        np.einsum("ij->i", x, out=np.zeros(2))
    with pytest.raises(TypeError, match="must be a tensor, an array or a number"):
        np.einsum("ij,ij", x, "ab")


@pytest.mark.parametrize("optimize", [False, True])
@pytest.mark.parametrize("subscripts", ["ij->ij", "ij->ji", "ii->i", "...", "ij->i"])
def test_a_result_is_a_view_where_numpy_makes_one(
    subscripts: str, optimize: bool
) -> None:
    """A write through the result shows in the operand, in value and in gradient."""
    a = np.arange(1.0, 10.0).reshape(3, 3)
    right = a * 2
    part = np.einsum(subscripts, right, optimize=optimize)
    part *= 5.0
    x = Tensor(a, True)
    y = x * 2
    view = np.einsum(subscripts, y, optimize=optimize)
    view *= 5.0
    np.testing.assert_array_equal(view.data, part)
    np.testing.assert_array_equal(y.data, right)
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.data, right / a)


def test_a_write_into_the_operand_shows_in_the_view() -> None:
    x = Tensor(np.arange(4.0).reshape(2, 2), True)
    y = x * 1
    view = np.einsum("ii->i", y)
    y *= 3.0
    assert view.tolist() == [0.0, 9.0]
    view.sum().backward()
    assert x.grad.tolist() == [[3.0, 0.0], [0.0, 3.0]]


def test_a_diagonal_takes_no_part_of_what_is_infinite_beside_it() -> None:
    x = Tensor(np.full((2, 2), np.inf), True)
    np.einsum("ii->i", x).backward(np.array([1.0, np.inf]))
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.data, [[1.0, 0.0], [0.0, np.inf]])


def test_the_gradient_is_optimized_where_the_sum_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []
    einsum = np.einsum

    def watched(*arguments: Any, optimize: Any = False) -> Any:
        seen.append(optimize)
        return einsum(*arguments, optimize=optimize)

    x = Tensor(np.ones((2, 2)), True)
    y = np.einsum("ij,jk->ik", x, x, optimize="greedy")
    monkeypatch.setattr(np, "einsum", watched)
    y.backward(np.ones((2, 2)))
    assert seen == ["greedy", "greedy"]
