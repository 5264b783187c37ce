"""What the package takes for a real number, and for a function of so many arguments."""

import functools
import math
from fractions import Fraction

import numpy as np
import pytest

from autograd_lib.scalar.real import callable_with, name_of, real


@pytest.mark.parametrize(
    "value",
    [2, 2.0, True + 1, Fraction(4, 2), np.float32(2), np.int64(2), np.array(2.0)],
    ids=lambda v: type(v).__name__,
)
def test_every_real_scalar_becomes_a_plain_float(value):
    assert type(real("f", "x", value)) is float
    assert real("f", "x", value) == 2.0


def test_infinity_is_a_real_number_here():
    assert real("f", "x", -math.inf) == -math.inf


@pytest.mark.parametrize(
    ("value", "way_out"),
    [
        ("2", "float(...)"),
        (None, "forget its return"),
        (2j, "real part"),
        (np.complex64(2j), "real part"),
        ([2.0], "pass a float, not list"),
        (np.array([2.0]), "each element"),
        (np.array("2"), "pass a float"),
        (math, "pass a float, not module"),
    ],
    ids=repr,
)
def test_anything_else_is_refused_with_function_argument_and_way_out(value, way_out):
    with pytest.raises(TypeError, match=r"^f: x must be one real number") as caught:
        real("f", "x", value)
    assert way_out in str(caught.value)


@pytest.mark.parametrize("nan", [math.nan, np.float32("nan"), np.array(math.nan)])
def test_nan_is_refused_with_where_it_may_come_from(nan):
    with pytest.raises(ValueError, match=r"^f: x is nan .*inf - inf"):
        real("f", "x", nan)


def test_an_integer_beyond_floats_is_refused_by_name():
    with pytest.raises(OverflowError, match=r"^f: x is larger than any float"):
        real("f", "x", 10**400)


def test_functions_of_the_right_number_of_arguments_pass():
    callable_with("outer", "f", lambda a, b: a, "a", "b")
    callable_with("outer", "f", lambda *many: many, "a", "b")
    callable_with("outer", "f", lambda a, b=1, *, c=2: a, "a")
    callable_with("outer", "f", math.sin, "a")
    callable_with("outer", "f", np.sin, "a")


def test_a_function_that_hides_its_signature_is_trusted():
    callable_with("outer", "f", max, "a", "b")


@pytest.mark.parametrize("function", [lambda: 0, lambda a, b: 0, lambda a, *, b: 0])
def test_a_function_of_another_number_of_arguments_is_refused(function):
    with pytest.raises(TypeError, match=r"outer: f is called as f\(x\), but <lambda>"):
        callable_with("outer", "f", function, "x")


@pytest.mark.parametrize("thing", [3.0, "sin", None])
def test_what_cannot_be_called_is_refused(thing):
    with pytest.raises(TypeError, match=r"outer: f must be a function, called as f"):
        callable_with("outer", "f", thing, "x")


def test_functions_without_a_name_are_called_by_their_type():
    assert name_of(math.sin) == "sin"
    assert name_of(functools.partial(math.sin)) == "partial"
