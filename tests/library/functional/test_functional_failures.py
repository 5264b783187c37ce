"""What a transform says of arguments and results that have no derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.leaves.grad_mode import is_grad_enabled
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import jvp
from autograd_lib.functional import (
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacobian,
    value_and_grad,
    vhp,
    vjp,
)


def f(x: Any) -> Any:
    return x * x


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (3, "argument 0 is 3.*write 3.0 for 3"),
        (True, "argument 0 is True"),
        (np.arange(3), r"argument 0 is array\(\[0, 1, 2\]\).*astype"),
        (Tensor([1, 2]), "argument 0 is Tensor"),
        ("text", "argument 0 is 'text'.*argnums"),
        ({1.0}, "argument 0 is {1.0}.*tree.register"),
        ({"w": [1.0, "name"]}, r"argument 0\['w'\]\[1\] is 'name'"),
    ],
)
def test_what_has_no_derivative_is_named_with_its_place(x: Any, message: str) -> None:
    with pytest.raises(TypeError, match=rf"(?s)^grad\(f\): {message}"):
        grad(f)(x)


@pytest.mark.parametrize("x", [[], {}, None, ([], {"a": None})])
def test_an_argument_without_leaves(x: Any) -> None:
    with pytest.raises(ValueError, match=r"grad\(f\): there is nothing .* no leaves"):
        grad(f)(x)


def test_no_argument() -> None:
    with pytest.raises(ValueError, match="argument 0, counted from 0, is not among"):
        grad(f)()
    with pytest.raises(ValueError, match="nothing to differentiate"):
        vjp(f)


@pytest.mark.parametrize(
    ("argnums", "error", "message"),
    [
        (2, ValueError, "argument 2, .*is not among the 2 that were passed"),
        (-3, ValueError, "argument -3"),
        ((0, -2), ValueError, "names an argument twice"),
        ((), ValueError, "nothing to differentiate"),
        (True, TypeError, "argnums is an integer"),
        (("a",), TypeError, "argnums is an integer"),
    ],
)
def test_argnums(argnums: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        grad(lambda a, b: a * b, argnums)(1.0, 2.0)


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (lambda x: x.item(), TypeError, "the result is 6.0 and not a tensor; a number"),
        (lambda x: x.data, TypeError, "and not a tensor; a number loses"),
        (lambda x: None, TypeError, "None and not a tensor; is a return missing"),
        (lambda x: "text", TypeError, "'text' and not a tensor; .*has_aux=True"),
        (lambda x: x > 1, TypeError, "not a tensor"),
        (lambda x: Tensor(1), TypeError, "a tensor of int64"),
        (lambda x: [x, 1.0], TypeError, r"the result\[1\] is 1.0"),
        (lambda x: [x, x], ValueError, "one number, got a list"),
        (lambda x: x * np.ones(2), ValueError, r"one number, got a tensor of .*\(2,\)"),
    ],
)
def test_results_that_are_no_number(
    result: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=rf"(?s)^grad\(<lambda>\): .*{message}"):
        grad(result)(6.0)


@pytest.mark.parametrize(
    "transform", [grad, value_and_grad, elementwise_grad, jacobian, hessian]
)
@pytest.mark.parametrize("arguments", [1.0, np.ones(2), (np.ones(2), 1.0), "x"])
def test_arguments_in_the_place_of_argnums(transform: Any, arguments: Any) -> None:
    name = transform.__name__
    with pytest.raises(TypeError, match=rf"^{name}\(f\): argnums is .*grad\(f\)\(x\)$"):
        transform(f, arguments)


def test_a_write_into_an_array_says_what_is_lost() -> None:
    """NumPy would say that the tensor is a sequence."""

    def writes(x: Any) -> Any:
        y = np.zeros(2)
        y[0] = x[0]
        return y.sum()

    x = np.ones(2)
    for run in lambda: grad(writes)(x), lambda: jvp(writes, (x,), (x,)):
        with pytest.raises(TypeError, match=r"^a write into an array: would lose") as e:
            run()
        assert e.traceback[-1].name == "writes"

    def breaks(x: Any) -> Any:
        return np.array([[1.0], [1.0, 2.0]])

    with pytest.raises(ValueError, match=r"^setting an array element with a sequence"):
        grad(breaks)(x)


def test_aux_needs_a_pair() -> None:
    with pytest.raises(TypeError, match="has_aux=True the function returns a pair"):
        value_and_grad(f, has_aux=True)(1.0)


@pytest.mark.parametrize("transform", [grad, value_and_grad, jacobian])
def test_a_transform_takes_a_function(transform: Any) -> None:
    with pytest.raises(TypeError, match=r"takes a function, got 3.0"):
        transform(3.0)


def test_cotangents_that_do_not_fit() -> None:
    _, pullback = vjp(lambda x: {"a": x, "b": [x]}, np.ones(2))
    with pytest.raises(ValueError, match=r"cotangent should be a dict with \['a'\]"):
        pullback([1.0])
    with pytest.raises(ValueError, match=r"cotangent\['b'\]\[0\] has shape \(3,\)"):
        pullback({"a": np.ones(2), "b": [np.ones(3)]})
    with pytest.raises(ValueError, match=r"cotangent\['a'\] has shape \(\)"):
        pullback({"a": 1.0, "b": [np.ones(2)]})


@pytest.mark.parametrize("product", [hvp, vhp])
def test_products_take_a_tuple_of_each(product: Any) -> None:
    with pytest.raises(TypeError, match=r"h.*\(f\): needs a tuple of arguments"):
        product(f, 1.0, 1.0)
    with pytest.raises(TypeError, match="as many vectors"):
        product(f, (1.0,), (1.0, 2.0))


def test_after_an_error_in_the_function_recording_is_as_before() -> None:
    def fails(x: Any) -> Any:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        grad(fails)(1.0)
    assert is_grad_enabled()
    assert grad(f)(3.0).item() == 6
