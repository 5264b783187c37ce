"""Random programs that Value, complex numbers and PyTorch can all run.

A step takes one or two earlier numbers, applies the operations of one template, and
ends small enough that the next step cannot lose the digits that are compared.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from autograd_lib.scalar.value import Value

CLEAR = 1e-6

Step = tuple[str, int, int]

TEMPLATES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a + b": lambda f, a, b: f.sin(a + b),
    "a - b": lambda f, a, b: f.sin(a - b),
    "a * b": lambda f, a, b: f.sin(a * b),
    "a / b": lambda f, a, b: a / (b * b + 0.5),
    "a ** b": lambda f, a, b: (a * a + 0.5) ** f.tanh(b),
    "2 - 3 * a": lambda f, a, b: f.sin(2 - 3 * a),
    "1 / a": lambda f, a, b: 1 / (a * a + 1),
    "2 ** a": lambda f, a, b: 2 ** f.sin(a),
    "a ** 3": lambda f, a, b: f.sin(a) ** 3,
    "a ** -2": lambda f, a, b: (a * a + 1) ** -2,
    "a ** 0.5": lambda f, a, b: (a * a + 0.1) ** 0.5,
    "a ** 0": lambda f, a, b: a**0 + f.tanh(b),
    "-a": lambda f, a, b: -a,
    "exp": lambda f, a, b: f.exp(f.sin(a)),
    "log": lambda f, a, b: f.log(a * a + 0.5),
    "sqrt": lambda f, a, b: f.sqrt(a * a + 0.1),
    "cos": lambda f, a, b: f.cos(a),
    "tanh": lambda f, a, b: f.tanh(a),
    "sigmoid": lambda f, a, b: f.sigmoid(a),
    "relu": lambda f, a, b: f.relu(a) - b,
    "abs": lambda f, a, b: f.abs(f.sin(a)),
}

step = st.tuples(
    st.sampled_from(sorted(TEMPLATES)), st.integers(0, 5), st.integers(0, 5)
)
programs = st.lists(step, min_size=1, max_size=10)
points = st.lists(st.floats(-1.5, 1.5), min_size=2, max_size=3)


def run(program: Sequence[Step], functions: Any, inputs: Sequence[Any]) -> Any:
    """Return the last value; a place in a step counts back from the newest value."""
    values = list(inputs)
    for name, *places in program:
        a, b = (values[-1 - place % len(values)] for place in places)
        values.append(TEMPLATES[name](functions, a, b))
    return values[-1]


def clear_of_its_kink(f: Callable[[Value], Value]) -> Callable[[Value], Value]:
    """Discard programs that come so near a kink that rounding decides the side."""

    def checked(v: Value) -> Value:
        assume(abs(v.data) > CLEAR)
        return f(v)

    return checked


VALUE = SimpleNamespace(
    **{
        name: getattr(Value, name)
        for name in ("exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid")
    },
    relu=clear_of_its_kink(Value.relu),
    abs=clear_of_its_kink(abs),
)

COMPLEX = SimpleNamespace(
    **{
        name: getattr(cmath, name)
        for name in ("exp", "log", "sqrt", "sin", "cos", "tanh")
    },
    sigmoid=lambda z: 1 / (1 + cmath.exp(-z)),
    relu=lambda z: z if z.real > 0 else 0j,
    abs=lambda z: z if z.real > 0 else -z,
)


def value_gradients(program: Sequence[Step], point: Sequence[float]) -> list[float]:
    """Return what `Value` says about the inputs of a program."""
    inputs = [Value(v) for v in point]
    run(program, VALUE, inputs).backward()
    return [x.grad for x in inputs]
