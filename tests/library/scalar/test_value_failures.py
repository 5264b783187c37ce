"""What Value does when something is wrong: it says so, and changes nothing."""

import math
import operator
from fractions import Fraction

import numpy as np
import pytest

from autograd_lib.graph import topological_order
from autograd_lib.scalar.float_var import float_var
from autograd_lib.scalar.multivariate import multi_var
from autograd_lib.scalar.value import Value


@pytest.mark.parametrize(
    "thing", [None, "1", 1j, [1.0], np.array([1.0, 2.0]), np.complex128(1), {}, Value]
)
def test_what_is_no_real_number_is_refused(thing):
    with pytest.raises(TypeError, match="Value: data must be one real number"):
        Value(thing)
    x = Value(2.0)
    for sign, f in {"+": operator.add, "/": operator.truediv}.items():
        for operands in ((x, thing), (thing, x)):
            with pytest.raises(TypeError, match=rf"Value \{sign} …: the number beside"):
                f(*operands)
    with pytest.raises(TypeError, match=r"Value compared .* one real number"):
        _ = x < thing


def test_a_value_of_a_value_is_refused():
    with pytest.raises(TypeError, match=r"got Value\(data=1.0"):
        Value(Value(1.0))


@pytest.mark.parametrize("kind", [float_var, multi_var])
def test_a_number_that_remembers_in_another_way_is_not_taken_for_a_constant(kind):
    with pytest.raises(TypeError, match=f"Value: data is a {kind.__name__}, whose"):
        Value(kind(2.0))
    for f in (operator.mul, lambda a, b: b * a):
        with pytest.raises(TypeError, match=rf"Value \* …: .* {kind.__name__}"):
            f(Value(2.0), kind(2.0))


@pytest.mark.parametrize("large", [10**400, -(2**1024), 2**1024 - 1])
def test_an_integer_larger_than_any_float_is_an_error_with_the_place(large):
    with pytest.raises(OverflowError, match="Value: data is larger than any float"):
        Value(large)
    with pytest.raises(OverflowError, match=r"Value \+ …: .* larger than any float"):
        Value(1.0) + large


@pytest.mark.parametrize("number", [True, 2**1023, Fraction(1, 2), np.array(3.0)])
def test_other_real_numbers_are_taken(number):
    assert Value(number).data == (Value(1.0) * number).data == float(number)
    assert type((number * Value(1.0)).data) is float


@pytest.mark.parametrize("f", [float, int, math.sin, np.sin, round])
def test_what_would_lose_the_gradient_is_an_error(f):
    with pytest.raises(TypeError):
        f(Value(1.0))


class Interrupting(float):
    """A slope at which the user presses the interrupt key."""

    def __mul__(self, other):
        raise KeyboardInterrupt


def graph():
    x, w = Value(3.0, label="x"), Value(2.0, label="w")
    inner = x * w
    return x, w, inner, inner * inner + x.sin() * w


def unsettled(root):
    return [v for v in topological_order(root) if v._pending]


@pytest.mark.parametrize("place", ["a leaf's gradient", "a slope"])
def test_a_pass_after_a_failed_one_is_right(place):
    x, w, inner, out = graph()
    out.backward()
    right = x.grad, w.grad
    x.grad, w.grad = 10.0, 20.0
    if place == "a slope":
        inner._dy, slope = Interrupting(3.0), inner._dy
    else:
        w.grad = None
    given = x.grad, w.grad
    with pytest.raises((TypeError, KeyboardInterrupt)):
        out.backward()
    assert (x.grad, w.grad) == given
    assert unsettled(out) == []
    if place == "a slope":
        inner._dy = slope
    x.grad = w.grad = 0.0
    out.backward()
    assert (x.grad, w.grad) == right


@pytest.mark.parametrize("made", ["from itself", "from the output", "below the output"])
def test_a_cycle_made_by_hand_is_an_error(made):
    x, w, inner, out = graph()
    x.grad, w.grad = 10.0, 20.0
    inner._x = {"from itself": inner, "from the output": out}.get(made, inner + 1)
    with pytest.raises(
        ValueError, match=r"backward: a number was made from itself.* new"
    ):
        out.backward()
    assert (x.grad, w.grad) == (10.0, 20.0)
    inner._x = x
    assert unsettled(out) == []
    x.grad = w.grad = 0.0
    out.backward()
    again = graph()
    again[-1].backward()
    assert (x.grad, w.grad) == (again[0].grad, again[1].grad)
