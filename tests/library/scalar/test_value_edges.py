"""Value at the edges of mathematics: zeros, infinities, nan, kinks, overflow."""

import math
import operator

import numpy as np
import pytest

from autograd_lib.scalar.value import Value

INF, NAN = math.inf, math.nan
# Not 0.5: NumPy takes a square root there, which differs from a power at -0 and -inf.
EDGES = [0.0, -0.0, 1.0, -1.0, 0.7, -2.0, 3.0, 1e3, -1e3, 1e308, 5e-324, INF, -INF, NAN]
PAIRS = [(a, b) for a in EDGES for b in EDGES]


def on_the_side_where_exp_is_small(top):
    return lambda x: top(x, np.exp(-np.abs(x)))


# name -> the value and the slope, in NumPy's functions
ONE_INPUT = {
    "exp": (np.exp, np.exp),
    "log": (np.log, lambda x: NAN if x < 0 else 1 / x),
    "sqrt": (np.sqrt, lambda x: 0.5 / abs(np.sqrt(x))),
    "sin": (np.sin, np.cos),
    "cos": (np.cos, lambda x: -np.sin(x)),
    "tanh": (np.tanh, lambda x: 1 / np.cosh(x) ** 2),
    "sigmoid": (
        on_the_side_where_exp_is_small(lambda x, e: (1 if x >= 0 else e) / (1 + e)),
        on_the_side_where_exp_is_small(lambda x, e: e / (1 + e) ** 2),
    ),
    "relu": (lambda x: np.maximum(x, 0.0), lambda x: 0.0 if x <= 0 else 1.0),
    "__abs__": (np.abs, lambda x: 1.0 if x > 0 else -1.0 if x < 0 else 0.0),
    "__neg__": (np.negative, lambda x: -1.0),
}


def slopes_of_power(a, b):
    slope_a = 0.0 if b == 0 else b * np.power(a, b - 1)
    slope_b = 0.0 if a == 0 and b >= 0 else np.log(a) * np.power(a, b)
    return slope_a, slope_b


# name -> the value and both slopes, in NumPy's arithmetic
TWO_INPUTS = {
    "add": (np.add, lambda a, b: (1.0, 1.0)),
    "sub": (np.subtract, lambda a, b: (1.0, -1.0)),
    "mul": (np.multiply, lambda a, b: (b, a)),
    "truediv": (np.divide, lambda a, b: (1 / b, -(a / b) / b)),
    "pow": (np.power, slopes_of_power),
}


def agree(found, expected):
    """Tell whether two sequences agree: in digits, in infinities, in being nan."""
    expected = [float(v) for v in expected]
    return found == pytest.approx(expected, rel=1e-12, abs=1e-300, nan_ok=True)


@pytest.mark.parametrize("name", ONE_INPUT)
@pytest.mark.parametrize("x", EDGES, ids=repr)
def test_a_function_is_numpys_at_every_edge(name, x):
    value, slope = ONE_INPUT[name]
    with np.errstate(all="ignore"):
        expected = [value(np.float64(x)), slope(np.float64(x))]
    v = Value(x)
    y = getattr(v, name)()
    y.backward()
    assert agree([y.data, v.grad], expected)
    assert type(y.data) is type(v.grad) is float


@pytest.mark.parametrize("name", TWO_INPUTS)
def test_an_operation_is_numpys_at_every_pair_of_edges(name):
    value, slopes = TWO_INPUTS[name]
    operation = getattr(operator, name)
    for a, b in PAIRS:
        with np.errstate(all="ignore"):
            expected = [value(np.float64(a), b), *slopes(np.float64(a), np.float64(b))]
        y = operation(Value(a), Value(b))
        left, right = operation(Value(a), b), operation(a, Value(b))
        assert agree([y.data, *y.slopes], expected), (a, b)
        assert agree([left.data, *left.slopes], expected[:2]), (a, b)
        assert agree([right.data, *right.slopes], expected[::2]), (a, b)


@pytest.mark.parametrize("name", ["truediv", "pow"])
def test_a_zero_or_an_infinity_has_numpys_sign(name):
    value, _ = TWO_INPUTS[name]
    for a, b in PAIRS:
        with np.errstate(all="ignore"):
            expected = value(np.float64(a), b)
        found = getattr(operator, name)(Value(a), Value(b)).data
        if not math.isnan(found):
            assert math.copysign(1, found) == math.copysign(1, expected), (a, b)


@pytest.mark.parametrize("name", ["sqrt", "sin", "tanh", "__abs__", "__neg__"])
def test_a_function_keeps_the_sign_of_zero_that_numpy_keeps(name):
    for x in (0.0, -0.0):
        found, expected = getattr(Value(x), name)().data, ONE_INPUT[name][0](x)
        assert math.copysign(1, found) == math.copysign(1, expected), x


def test_large_inputs_lose_no_digits_that_can_be_kept():
    x = Value(40.0)
    x.sigmoid().backward()
    assert x.grad == pytest.approx(math.exp(-40), rel=1e-12)
    assert (Value(0.0) / Value(1e-310)).slopes == (INF, 0.0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_sign_of_a_nan_decides_nothing(sign):
    x = Value(math.copysign(NAN, sign))
    (abs(x) + x.relu()).backward()
    assert x.grad == 1.0  # of relu, as in PyTorch; that of abs is 0


@pytest.mark.parametrize(
    ("f", "data", "grad"),
    [
        (lambda v: v**v, 27.0, 27.0 * (1 + math.log(3))),
        (lambda v: 2**v, 8.0, 8.0 * math.log(2)),
        (lambda v: v**-2, 1 / 9, -2 / 27),
        (lambda v: (-v) ** 3, -27.0, -27.0),
        (lambda v: v**0.5, math.sqrt(3), 0.5 / math.sqrt(3)),
    ],
)
def test_powers(f, data, grad):
    x = Value(3.0)
    y = f(x)
    y.backward()
    assert agree([y.data, x.grad], [data, grad])
