"""Value against second opinions: complex numbers, fifty digits, PyTorch."""

import itertools
import math
import operator
from types import SimpleNamespace

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograd_lib.graph import topological_order
from autograd_lib.scalar.numerical import complex_step, partial_derivatives
from autograd_lib.scalar.value import Value
from tests.library.helpers.derivatives import (
    EPSILON,
    PRECISE,
    RANGES,
    precise_derivative,
)
from tests.library.helpers.scalar_programs import (
    COMPLEX,
    VALUE,
    points,
    programs,
    run,
    value_gradients,
)

INF, NAN = math.inf, math.nan
EDGES = [0.0, -0.0, 0.5, 1.0, -1.0, -2.0, 3.0, 40.0, 1e3, -1e3, INF, -INF, NAN]
ONE_INPUT = ["exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu", "abs"]
TWO_INPUTS = ["add", "sub", "mul", "truediv", "pow"]
PRECISE_TWO = {name: getattr(operator, name) for name in TWO_INPUTS} | {
    "pow": mpmath.power
}
METHODS = {name: getattr(Value, name) for name in ONE_INPUT if name != "abs"}
METHODS["abs"] = abs

# Where PyTorch 2.13 says something else: its value and slope.
DIFFERENCES = {
    # PyTorch's slope of log is 1/x, also where log has no value.
    "log(-1.0)": (NAN, -1.0),
    "log(-2.0)": (NAN, -0.5),
    "log(-1000.0)": (NAN, -1e-3),
    "log(-inf)": (NAN, -0.0),
    # It divides by the root, which is -0 at -0; the slope grows to +inf from the right.
    "sqrt(-0.0)": (-0.0, -INF),
    # It multiplies s by 1 - s, which is 0 once s is rounded to 1.
    "sigmoid(40.0)": (1.0, 0.0),
    # It takes tanh's slope from tanh, which is rounded to 1 there.
    "tanh(40.0)": (1.0, 0.0),
    "tanh(-40.0)": (-1.0, 0.0),
    # It takes an exponent of 0.5 for a square root; here, as in C, it is a power.
    "pow(Value(-0.0), 0.5)": (-0.0, -INF),
    "pow(Value(-inf), 0.5)": (NAN, NAN),
}


@settings(max_examples=2_000)
@given(programs, points)
def test_programs_agree_with_function_values(program, point):
    def f(*inputs):
        return run(program, COMPLEX, [z + 0j for z in inputs])

    found = partial_derivatives(f, point, complex_step)
    assert value_gradients(program, point) == pytest.approx(found, rel=1e-9, abs=1e-9)


@given(programs, points)
def test_a_pass_leaves_nothing_behind_but_gradients(program, point):
    inputs = [Value(v) for v in point]
    out = run(program, VALUE, inputs)
    out.backward()
    once = [x.grad for x in inputs]
    assert not any(v._pending for v in topological_order(out))
    out.backward()
    twice = [2 * grad for grad in once]
    assert [x.grad for x in inputs] == pytest.approx(twice, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", sorted({*RANGES} & {*ONE_INPUT} - {"relu"}))
@given(data=st.data())
def test_a_function_is_right_to_a_few_ulp(name, data):
    x = Value(data.draw(st.floats(*RANGES[name])))
    METHODS[name](x).backward()
    exact = precise_derivative(PRECISE[name], x.data)
    # The slope of tanh is made of tanh, and so loses digits where that is near 1.
    lost = 2 * EPSILON if name == "tanh" else 1e-20
    assert x.grad == pytest.approx(exact, rel=8 * EPSILON, abs=lost)


@pytest.mark.parametrize("name", TWO_INPUTS)
@given(a=st.floats(0.2, 20), b=st.floats(-5, 5).filter(lambda b: abs(b) > 0.01))
def test_an_operation_is_right_to_a_few_ulp(name, a, b):
    x, y = Value(a), Value(b)
    getattr(operator, name)(x, y).backward()
    exact = [precise_derivative(PRECISE_TWO[name], a, b, toward=i) for i in (0, 1)]
    assert [x.grad, y.grad] == pytest.approx(exact, rel=8 * EPSILON, abs=1e-20)


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip(
        "torch",
        reason="PyTorch is not installed, so Value is not compared with it here; "
        "pip install torch==2.13.0",
    )


def torch_says(torch, f, *point):
    """Return PyTorch's value of `f` and its slope in each input, in float64."""
    inputs = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in point]
    out = f(*inputs)
    return (out.item(), *(g.item() for g in torch.autograd.grad(out, inputs)))


def agree(found, expected):
    return found == pytest.approx(expected, rel=1e-13, abs=1e-300, nan_ok=True)


def test_programs_agree_with_pytorch(torch):
    functions = SimpleNamespace(**{name: getattr(torch, name) for name in ONE_INPUT})

    @settings(max_examples=2_000)
    @given(programs, points)
    def agree(program, point):
        leaves = [
            torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in point
        ]
        ours = value_gradients(program, point)
        out = run(program, functions, leaves)
        out.backward()
        theirs = [0.0 if x.grad is None else x.grad.item() for x in leaves]
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-11)

    agree()


def compare(case, ours, theirs):
    if case in DIFFERENCES:
        assert agree(theirs, DIFFERENCES[case]), case
        assert not agree(ours, theirs), case
    else:
        assert agree(ours, theirs), case


@pytest.mark.parametrize("name", ONE_INPUT)
def test_functions_agree_with_pytorch_at_every_edge(torch, name):
    for x in EDGES:
        y = METHODS[name](Value(x))
        theirs = torch_says(torch, getattr(torch, name), x)
        compare(f"{name}({x})", (y.data, *y.slopes), theirs)


@pytest.mark.parametrize("name", TWO_INPUTS)
def test_operations_agree_with_pytorch_at_every_pair_of_edges(torch, name):
    f = getattr(operator, name)
    for a, b in itertools.product(EDGES, EDGES):
        y, left, right = f(Value(a), Value(b)), f(Value(a), b), f(a, Value(b))
        theirs = torch_says(torch, f, a, b)
        compare(f"{name}(Value({a}), Value({b}))", (y.data, *y.slopes), theirs)
        theirs = torch_says(torch, lambda t, b=b: f(t, b), a)
        compare(f"{name}(Value({a}), {b})", (left.data, *left.slopes), theirs)
        theirs = torch_says(torch, lambda t, a=a: f(a, t), b)
        compare(f"{name}({a}, Value({b}))", (right.data, *right.slopes), theirs)
