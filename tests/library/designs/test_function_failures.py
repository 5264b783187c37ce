"""What the design with functions does when something is wrong: it says so in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.designs.function import Add, Function, Mul, Tensor
from autograd_lib.scalar.float_var import float_var
from autograd_lib.scalar.value import Value


@pytest.mark.parametrize(
    "data",
    ["1", None, 1j, [1j], [[1], [1, 2]], {}, Tensor, Value(1.0), float_var(1.0), ["a"]],
)
def test_what_is_no_real_number_is_refused(data: Any) -> None:
    with pytest.raises(TypeError, match="Tensor: data must be real numbers and no"):
        Tensor(data)
    with pytest.raises(TypeError, match="Tensor: data must be real numbers and no"):
        Tensor(2.0) * data


@pytest.mark.parametrize(
    "f", [Tensor, np.asarray, np.sum, np.mean, lambda t: np.dot(t, t), lambda t: [t]]
)
def test_numpy_does_not_take_a_tensor_for_an_array(f: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"would lose its history|unexpected keyword"):
        Tensor(f(Tensor([1.0, 2.0])))


@pytest.mark.parametrize(
    "f", [np.sin, float, int, bool, lambda t: t[0], lambda t: 2**t, lambda t: t > 0]
)
def test_what_would_lose_the_gradient_is_an_error(f: Callable[..., Any]) -> None:
    if f is bool:
        assert f(Tensor(0.0))  # as for any object, so that `if t.grad` asks for one
    else:
        with pytest.raises(TypeError):
            f(Tensor([1.0]))


def test_a_tensor_as_an_exponent_is_refused() -> None:
    with pytest.raises(TypeError, match=r"the exponent is a Tensor, .* pass a number"):
        Tensor(2.0) ** Tensor(3.0)


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (lambda: Tensor([1, 2]) - [1, 2, 3], r"Sub: arguments of shape \(2,\) and \(3"),
        (lambda: [1, 2] * Tensor([1, 2, 3]), r"Mul: arguments of shape \(2,\) and \(3"),
        (lambda: Tensor(np.ones((2, 3))).dot([1, 2]), r"Dot: .*\(2, 3\) and \(2,\) do"),
        (lambda: Tensor(np.ones((1, 1, 1))).dot([1]), "takes numbers, vectors and mat"),
    ],
)
def test_shapes_that_do_not_fit(f: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=f"(?s){words}.*; reshape what goes in"):
        f()


def test_a_call_without_a_tensor_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Mul.apply: no argument is a Tensor; make"):
        Mul.apply(2.0, 3.0)


def test_a_walk_begins_with_a_gradient_of_its_shape() -> None:
    x = Tensor([1.0, 2.0])
    y = x * 2
    for grad in (1.0, [1.0], np.ones((2, 1)), Tensor([1.0, 2.0, 3.0])):
        with pytest.raises(ValueError, match=r"of shape \(2,\) got a gradient of"):
            y.backward(grad)
    with pytest.raises(TypeError, match="Tensor: data must be real numbers"):
        y.backward("1")
    assert x.grad is None
    assert y.grad is None
    (Tensor([[3.0]]) * x.sum()).backward()
    assert x.grad is not None


def returning(result: Any) -> type[Function]:
    """Return a function of two arguments, x + y, whose rule returns `result`."""

    class Rule(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return x.data + y.data

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            if isinstance(result, BaseException):
                raise result
            return result

    return Rule


@pytest.mark.parametrize(
    ("result", "error", "words"),
    [
        (1.0, ValueError, "Rule.backward: 1 gradients for 2 arguments; return one for"),
        ((1.0, 1.0, 1.0), ValueError, "3 gradients for 2 arguments"),
        ((np.ones(3), 1.0), ValueError, r"argument 1 has the shape \(3, 1\) and got a"),
        ((np.ones((3, 1)), None), ValueError, r"argument 0 has the shape \(3,\) and"),
        ((np.ones(1), None), ValueError, r"gradient of shape \(1,\); return one of"),
        ((np.ones((2, 3)), None), ValueError, r"gradient of shape \(2, 3\); return"),
        (("a", None), TypeError, "Tensor: data must be real numbers"),
        (KeyboardInterrupt("key"), KeyboardInterrupt, "key"),
    ],
)
def test_a_wrong_rule_is_named_and_changes_nothing(
    result: Any, error: type[BaseException], words: str
) -> None:
    x, y, z = Tensor(np.ones(3)), Tensor(np.ones((3, 1))), Tensor(2.0)
    x.grad = Tensor(np.full(3, 7.0))
    made = returning(result).apply(x, y)
    root = (made * z).sum() + x.sum()
    with pytest.raises(error, match=words):
        root.backward()
    assert x.grad.data.tolist() == [7.0] * 3
    assert [t.grad for t in (y, z, made, root)] == [None] * 4


def test_a_rule_may_return_the_shape_of_argument_or_result() -> None:
    x, y = Tensor(np.ones(3)), Tensor(np.ones((3, 1)))
    returning((np.ones(3), np.ones((3, 3)))).apply(x, y).sum().backward()
    assert (x.grad.shape, y.grad.data.tolist()) == ((3,), [[3.0]] * 3)


@pytest.mark.parametrize("old", [0.0, Tensor(0.0), Tensor([[1.0, 2.0]]), "none"])
def test_a_gradient_that_nothing_can_be_added_to(old: Any) -> None:
    x, y = Tensor([1.0, 2.0]), Tensor([1.0, 2.0])
    root = x.dot(y)
    y.grad = old
    with pytest.raises(ValueError, match=r"a leaf of shape \(2,\) has the grad"):
        root.backward()
    assert (x.grad, y.grad, root.grad) == (None, old, None)
    y.grad = None
    root.backward()
    assert y.grad.data.tolist() == [1.0, 2.0]


def test_a_number_may_be_reset_to_a_plain_zero() -> None:
    x = Tensor(3.0)
    x.grad = 0.0
    (x * x).backward()
    assert x.grad.data == 6.0


def test_a_function_without_its_methods_says_which() -> None:
    class Empty(Function):
        pass

    class Half(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.data

    with pytest.raises(NotImplementedError, match=r"needs forward\(ctx, …\)"):
        Empty.apply(Tensor(1.0))
    with pytest.raises(NotImplementedError, match=r"needs backward\(ctx, grad\)"):
        Half.apply(Tensor(1.0)).backward()


def test_a_forward_that_returns_nothing_is_refused() -> None:
    class Nothing(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> None:
            pass

    with pytest.raises(TypeError, match=r"Tensor: data must be real .* None"):
        Nothing.apply(Tensor(1.0))


def test_a_cycle_made_by_hand_is_an_error() -> None:
    x = Tensor(1.0)
    y = x * 2
    z = y * 3
    y.parents = (z, x)
    with pytest.raises(ValueError, match="a node is made from itself"):
        z.backward()
    assert x.grad is None


def test_a_function_can_be_called_on_arrays_beside_a_tensor() -> None:
    t = Add.apply(np.ones(2), Tensor(1.0))
    assert t.data.tolist() == [2.0, 2.0]
    assert (np.ones(2) * t).creator is Mul


def test_a_mask_is_not_dropped():
    masked = np.ma.masked_array([1.0, 2.0], mask=[0, 1])
    for use in (Tensor, lambda m: Tensor([1.0, 2.0]) * m, lambda m: m * Tensor([1.0])):
        with pytest.raises(TypeError, match="no history, without a mask, got masked"):
            use(masked)
