"""Copies, pickles and files of tensors: numbers come along, graphs do not."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from autograd_lib import functional
from autograd_lib.engine import Tensor, from_numpy, grad, no_grad
from autograd_lib.forward import jvp
from autograd_lib.nn import Linear


def leaf(*numbers: float) -> Tensor:
    return Tensor(list(numbers), requires_grad=True)


def trained() -> Tensor:
    """Return a parameter after a step, which has written into it."""
    w = leaf(1.0, 2.0)
    (w * w).sum().backward()
    with no_grad():
        w -= 0.5 * w.grad
    return w


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("kind", ["float64", "float32", "int8", "complex128"])
def test_a_pickle_keeps_numbers_type_and_whether_a_gradient_is_wanted(
    kind: str, protocol: int
) -> None:
    for wanted in {False, kind.startswith("float")}:
        t = Tensor([[1.0, 2.0]], wanted, kind)
        back = pickle.loads(pickle.dumps(t, protocol))
        assert (type(back), back.dtype, back.requires_grad) == (Tensor, kind, wanted)
        assert back.tolist() == t.tolist()


def test_a_trained_parameter_can_be_pickled_and_trained_on() -> None:
    w = trained()
    back = pickle.loads(pickle.dumps(w))
    assert (back.tolist(), back.grad) == (w.tolist(), None)
    (back * 3).sum().backward()
    assert back.grad.tolist() == [3.0, 3.0]
    assert w.grad.tolist() == [2.0, 4.0]


def test_a_view_is_pickled_alone() -> None:
    t = from_numpy(np.zeros(1_000_000))[:3]
    assert len(pickle.dumps(t)) < 1_000
    assert pickle.loads(pickle.dumps(t)).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("f", "error"), [(pickle.dumps, TypeError), (copy.deepcopy, RuntimeError)]
)
def test_what_an_operation_made_stays_where_it_is(f: Any, error: Any) -> None:
    y = leaf(1.0, 2.0) * 2
    with pytest.raises(error, match=r"a recorded operation .*\(2,\).*t\.detach\(\)"):
        f(y)
    f(y.detach())


def test_a_deep_copy_has_numbers_and_a_gradient_of_its_own() -> None:
    w = trained()
    model = {"w": w, "same": [w], "constant": w.detach()}
    twin = copy.deepcopy(model)
    v: Any = twin["w"]
    assert v is twin["same"][0]  # type: ignore[index]
    assert (v.tolist(), v.requires_grad) == ([0.0, 0.0], True)
    assert (v.grad is w.grad, v.grad.tolist()) == (False, [2.0, 4.0])
    (v * 5).sum().backward()
    with no_grad():
        v += 1
    assert (w.grad.tolist(), w.tolist()) == ([2.0, 4.0], [0.0, 0.0])
    assert not twin["constant"].requires_grad  # type: ignore[union-attr]


def test_a_leaf_that_is_a_constant_for_a_time_is_copied_as_a_constant() -> None:
    w = leaf(1.0)
    w.requires_grad = False
    for f in (copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))):
        assert not f(w).requires_grad


def test_a_shallow_copy_of_a_leaf_is_a_leaf_of_its_own() -> None:
    w = trained()
    v = copy.copy(w)
    assert (v.data is w.data, v.grad, v.requires_grad) == (True, None, True)
    y = (w * w).sum()
    with no_grad():
        v += 1
    with pytest.raises(RuntimeError, match="written into"):
        y.backward()
    w.requires_grad = False
    (v * 3).sum().backward()
    assert v.grad.tolist() == [3.0, 3.0]


def test_a_write_into_a_shallow_copy_is_a_write_into_both() -> None:
    x = leaf(1.0, 2.0)
    y = x * 3
    c = copy.copy(y)
    z = (y * y).sum()
    c[0] = 5.0
    with pytest.raises(RuntimeError, match="written into"):
        z.backward()
    for t in (y, c):
        assert t.tolist() == [5.0, 6.0]
        assert grad(t.sum(), x, retain_graph=True)[0].tolist() == [0.0, 3.0]
    y *= 10
    assert grad(c.sum(), x)[0].tolist() == [0.0, 30.0]


def test_a_shallow_copy_of_a_view_follows_its_base() -> None:
    x = leaf(1.0, 2.0, 3.0)
    y = x * 2
    c = copy.copy(y[1:])
    y *= 10
    assert c.tolist() == [40.0, 60.0]
    assert grad(c.sum(), x)[0].tolist() == [0.0, 20.0, 20.0]


COPIES: list[tuple[Any, type[Exception], str]] = [
    (copy.deepcopy, RuntimeError, "copy.deepcopy"),
    (lambda t: pickle.loads(pickle.dumps(t)), TypeError, "pickle"),
]


@pytest.mark.parametrize(("f", "error", "who"), COPIES)
def test_a_copy_of_an_argument_would_lose_its_gradient(
    f: Any, error: type[Exception], who: str
) -> None:
    """It would be a leaf of its own, and the gradient asked for 0."""
    kept: list[Tensor] = []

    def of_one(x: Any) -> Any:
        kept.append(x)
        return (f(x) ** 2).sum()

    x, refused = np.array([1.0, 2.0]), rf"^{who}: a function is being .*\(2,\).*t\.copy"
    for transform in (functional.grad, functional.jacobian, functional.hessian):
        with pytest.raises(error, match=refused):
            transform(of_one)(x)
    with pytest.raises(error, match=refused):
        functional.grad(lambda m: (f(m)["w"] ** 2).sum())({"w": x})
    model = Linear(2, 1, rng=0)
    with pytest.raises(error):
        functional.grad(lambda m: f(m)(np.ones((1, 2), "f")).sum())(model)
    assert f(kept[0]).tolist() == [1.0, 2.0]  # its function has returned
    by_copy = functional.grad(lambda x: (x.copy() ** 2).sum())
    assert by_copy(x).tolist() == [2.0, 4.0]


def test_a_shallow_copy_of_an_argument_is_that_argument() -> None:
    def f(x: Any) -> Any:
        y = copy.copy(x)
        return (x * y * copy.copy({"y": y})["y"]).sum()

    x = np.array([1.0, 2.0])
    assert functional.grad(f)(x).tolist() == [3.0, 12.0]
    assert np.diag(functional.hessian(f)(x).data).tolist() == [6.0, 12.0]
    value, moves = jvp(f, (x,), (np.array([1.0, 0.0]),))
    assert (value.item(), moves.item()) == (9.0, 3.0)
