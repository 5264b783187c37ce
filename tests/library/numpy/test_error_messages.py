"""A mistake gets a sentence: the function, the shapes or arguments, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograd_lib.engine import Tensor, from_numpy, grad
from autograd_lib.engine.numpy.operands import unlike_shapes


def matrix() -> Tensor:
    return Tensor(np.ones((2, 3)), requires_grad=True)


def vector() -> Tensor:
    return Tensor([1.0, 2.0], requires_grad=True)


def setting(index: Any, value: Any) -> Callable[[Tensor], None]:
    return lambda m: m.__setitem__(index, value)


FOUR = np.ones(4)
PAIR = r": shapes \(2, 3\) and \(4,\) do not broadcast; .*x\[:, None\]"


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda m: m + FOUR, "add"),
        (lambda m: m - FOUR, "subtract"),
        (lambda m: m * FOUR, "multiply"),
        (lambda m: m / FOUR, "divide"),
        (lambda m: m**FOUR, "power"),
        (lambda m: m % FOUR, "remainder"),
        (lambda m: m // FOUR, "floor_divide"),
        (lambda m: m < FOUR, "less"),
        (lambda m: m == FOUR, "equal"),
        (lambda m: np.maximum(m, FOUR), "maximum"),
        (lambda m: np.hypot(m, FOUR), "hypot"),
        (lambda m: np.arctan2(m, FOUR), "arctan2"),
        (lambda m: np.logaddexp(m, FOUR), "logaddexp"),
        (lambda m: np.logical_and(m, FOUR), "logical_and"),
        (lambda m: np.isclose(m, FOUR), "isclose"),
    ],
)
@pytest.mark.parametrize("make", [matrix, lambda: matrix().detach()])
def test_shapes_that_do_not_broadcast(f: Any, name: str, make: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name}{PAIR}"):
        f(make())


@pytest.mark.parametrize(
    ("holds", "x", "y"),
    [
        (np.ones((2, 3), bool), np.ones(2), 1.0),
        (np.ones(2, bool), np.ones((2, 3)), FOUR),
    ],
)
def test_where_says_all_three_shapes(holds: Any, x: Any, y: Any) -> None:
    shapes = r"\(.*\) and \(.*\) and \(.*\)"
    with pytest.raises(ValueError, match=f"^where: shapes {shapes} do not"):
        np.where(holds, Tensor(x), y)


def test_another_error_of_value_keeps_its_words() -> None:
    with pytest.raises(ValueError, match="Integers to negative integer powers"):
        Tensor([2]) ** np.array([-1])
    error = ValueError("something else")
    assert unlike_shapes("add", error, np.ones(2), 1.0) is error


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (setting(0, np.ones(2)), ValueError, r"value of shape \(2,\) .* of shape \(3,"),
        (setting(5, 1.0), IndexError, r"indexing: 5 does not fit .*-n to n - 1"),
        (setting((0, 0, 0), 1.0), IndexError, r"\(0, 0, 0\) .* one index for each"),
        (lambda m: m.__iadd__(FOUR), ValueError, r"(add|__iadd__): .*\(4,\)"),
        (lambda m: m.__imul__(np.ones((2, 2, 3))), ValueError, r"__imul__: .*\(2, 3\)"),
    ],
)
@pytest.mark.parametrize("recorded", [False, True])
def test_writes_that_do_not_fit_change_nothing(
    change: Any, error: Any, message: str, recorded: bool
) -> None:
    x = matrix()
    m = x * 1.0 if recorded else Tensor(np.ones((2, 3)))
    node = m.node
    square = (m * x).sum()
    with pytest.raises(error, match=message):
        change(m)
    assert m.node is node
    assert m.tolist() == np.ones((2, 3)).tolist()
    square.backward()  # nothing was written that it saved


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (5, r"^indexing: 5 does not fit a tensor of shape \(2, 3\).*-n to n - 1"),
        ((0, -4), r"^indexing: \(0, -4\) does not fit .*-n to n - 1"),
        (1.5, r"^indexing: only integers, slices, .* got 1.5"),
        (np.ones(3, bool), r"^indexing: an array of shape \(3,\) .*; a mask has the"),
        ((0, 0, 0), r"^indexing: .* at most one index for each axis"),
        (([0, 1], [0, 1, 2]), r"^indexing: .* np.ix_ crosses them"),
    ],
)
def test_indices_that_do_not_fit(index: Any, message: str) -> None:
    with pytest.raises(IndexError, match=message):
        matrix()[index]


AXES = r" does not fit a tensor of shape \(2, 3\); its axes are -2 to 1, each named onc"


@pytest.mark.parametrize(
    ("f", "error", "message"),
    [
        (lambda m: m.reshape(4), ValueError, r"reshape: shape=4 .*\(2, 3\): .*size 6"),
        (lambda m: m.reshape("a"), TypeError, r"reshape: shape='a' .*\(2, 3\)"),
        (lambda m: m.reshape(6, order="A"), ValueError, "reshape: order must be"),
        (lambda m: m.transpose(0), ValueError, r"transpose: axes=\(0,\) .*\(2, 3\)"),
        (lambda m: m.transpose(0, 2), AxisError, rf"transpose: axes=\(0, 2\){AXES}"),
        (lambda m: m.swapaxes(0, 5), AxisError, f"swapaxes: axis1=0, axis2=5{AXES}"),
        (lambda m: np.moveaxis(m, 0, 5), AxisError, f"source=0, destination=5{AXES}"),
        (
            lambda m: m.squeeze(0),
            ValueError,
            r"squeeze: axis=0 does not fit .*\(2, 3\)",
        ),
        (lambda m: m.squeeze(7), AxisError, f"squeeze: axis=7{AXES}"),
        (lambda m: np.expand_dims(m, 9), AxisError, f"expand_dims: axis=9{AXES}"),
        (lambda m: np.broadcast_to(m, (2, 2)), ValueError, r"to: shape=\(2, 2\) does"),
        (lambda m: m.argmax(5), AxisError, f"argmax: axis=5{AXES}"),
        (lambda m: np.all(m, axis=3), AxisError, f"all: axis=3{AXES}"),
        (lambda m: m.argmax(dim=1), TypeError, "argmax: takes no dim=; axis= is its"),
        (
            lambda m: m.any(keepdim=True),
            TypeError,
            "no keepdim=; keepdims= is its name",
        ),
        (
            lambda m: m.softmax(dim=1),
            TypeError,
            r"softmax: .*; axis= is .*\(x, axis=-1",
        ),
        (
            lambda m: m.log_softmax(dim=1),
            TypeError,
            "^log_softmax: takes no dim=; axis",
        ),
        (lambda m: np.tensordot(m, m, "a"), TypeError, "tensordot: axes is .* got 'a'"),
        (lambda m: np.tensordot(m, m, ([0], ["a"])), TypeError, "tensordot: axes is"),
        (
            lambda m: grad(m.sum(), None),
            TypeError,
            "grad: inputs is a tensor, or a lis",
        ),
        (lambda m: grad(None, m), TypeError, "grad: outputs is a .* them, got None"),
    ],
)
def test_arguments_that_do_not_fit(f: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        f(matrix())


def test_keywords_that_ours_does_not_take_are_named() -> None:
    message = r"^numpy\.nan_to_num: takes no nonsense=|unexpected keyword"
    with pytest.raises(TypeError, match=message):
        np.nan_to_num(matrix(), nonsense=1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^numpy\.trace: takes no dtype=; .*\(x, off"):
        np.trace(matrix(), dtype=float)
    assert np.ravel(matrix().detach(), order="F").shape == (6,)


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (2**70, TypeError, f"needs numbers, got {2**70}; .*64 bits make floats"),
        ([2**70, 1], TypeError, "64 bits make floats"),
        (
            [[1], [2, 3]],
            ValueError,
            r"differ in length or depth, .*\[\[1\], \[2, 3\]\]",
        ),
        ([vector()[0], vector()[1]], TypeError, "in a list; np.stack makes one"),
        ([[1.0, vector()[0]]], TypeError, "in a list; np.stack makes one"),
    ],
)
def test_data_that_makes_no_tensor(data: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=f"^Tensor.*{message}"):
        Tensor(data)


def test_a_second_number_is_not_taken_for_a_truth_value() -> None:
    for wanted in (3, "no", None, 1.0):
        with pytest.raises(
            TypeError, match=r"requires_grad is True or False, got .*\["
        ):
            Tensor(2.0, wanted)  # type: ignore[arg-type]
        for x in (Tensor(2.0, True), Tensor(2.0)):
            before = x.requires_grad
            with pytest.raises(TypeError, match=r"^requires_grad is True or False"):
                x.requires_grad_(wanted)
            with pytest.raises(TypeError, match=r"^requires_grad is True or False"):
                x.requires_grad = wanted
            assert x.requires_grad is before
    assert Tensor(2.0, np.True_).requires_grad  # type: ignore[arg-type]


def test_the_imaginary_part_is_not_dropped_in_silence() -> None:
    with pytest.raises(
        TypeError, match=r"Tensor: float64 cannot hold complex .*\.real"
    ):
        Tensor([1j], dtype=float)
    with pytest.raises(TypeError, match="from_numpy: needs numbers, got an array of"):
        from_numpy(np.array([None]))


@pytest.mark.parametrize(
    "name",
    [
        *("sum", "mean", "max", "min", "prod", "var", "std", "cumsum", "cumprod"),
        *("logsumexp", "squeeze", "norm", "softmax", "log_softmax"),
    ],
)
def test_pytorchs_keywords_are_answered_with_ours(name: str) -> None:
    with pytest.raises(TypeError, match=f"^{name}: takes no dim=; axis= is its name"):
        getattr(matrix(), name)(dim=0)


def test_several_truth_values_and_no_length() -> None:
    with pytest.raises(ValueError, match=r"bool: .* shape \(2, 3\) .* np\.any"):
        bool(matrix())
    with pytest.raises(ValueError, match=r"bool: .* shape \(0,\) .* t\.size"):
        bool(Tensor([]))
    with pytest.raises(TypeError, match=r"len: a tensor of shape \(\) has no axis"):
        len(Tensor(1.0))
    assert bool(Tensor([[1.0]]))


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda x: np.maximum(x, 1j), "maximum"),
        (lambda x: np.convolve(x, [1j, 2.0]), "convolve"),
        (lambda x: np.linalg.svdvals(x * np.eye(2) * 1j), "svd"),
        (lambda x: x.clip(1j, 2.0), "clip"),
        (lambda x: np.linalg.eigh(x * np.eye(2) * 1j), "eigh"),
        (lambda x: np.linalg.eigvalsh(x * np.eye(2) * 1j), "eigvalsh"),
    ],
)
def test_a_complex_result_is_refused_by_the_operation(f: Any, name: str) -> None:
    with pytest.raises(TypeError, match=f"^{name}: complex numbers need a gradient"):
        f(vector())


def test_comparing_lists_that_hold_tensors_is_no_loss() -> None:
    assert np.array_equal([Tensor(1.0, True)], [1.0])
    assert np.array_equiv([vector()], [1.0, 2.0])
    assert not np.array_equal([vector()], [[1.0, 3.0]])
