"""Functions that take a derivative inside of them, in a checkpoint."""

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import Tensor, functional

START = np.array([0.4, -1.1])


def slope(v):
    """Return the derivative of Σ z·sin z at a constant copy of v."""
    z = Tensor(v.data, requires_grad=True)
    (g,) = ag.grad((np.sin(z) * z).sum(), z)
    return g


def recorded(v):
    (g,) = ag.grad((np.sin(v) * v).sum(), v, create_graph=True)
    return g


def passed_back(v):
    z = Tensor(v.data, requires_grad=True)
    (np.sin(z) * z).sum().backward()
    return z.grad


W = Tensor([2.0, 3.0], requires_grad=True)
wiggly = functional.grad(lambda y: (np.sin(y) * y).sum())

FUNCTIONS = {
    "alone": slope,
    "plus a parameter": lambda v: slope(v) + W,
    "times a parameter": lambda v: slope(v) * W,
    "plus the input": lambda v: slope(v) + v,
    "backward": lambda v: passed_back(v) + W,
    "recorded": recorded,
    "grad": wiggly,
    "grad, plus": lambda v: wiggly(v) + W,
    "grad twice": lambda v: functional.grad(lambda y: (wiggly(y) * y).sum())(v),
    "value_and_grad": lambda v: sum(
        functional.value_and_grad(lambda y: (np.sin(y) * y).sum())(v)
    ),
    "vjp": lambda v: functional.vjp(np.sin, v)[1](v)[0],
    "jvp": lambda v: ag.jvp(np.sin, (v,), (v,))[1],
    "hvp": lambda v: functional.hvp(lambda y: (y**4).sum(), (v,), (v,)),
    "jacobian": lambda v: functional.jacobian(np.sin)(v).sum(0),
    "jacobian of jvp": lambda v: functional.jacobian(
        lambda y: ag.jvp(np.sin, (y,), (y,))[1]
    )(v).sum(0),
    "hessian": lambda v: functional.hessian(lambda y: (y**4).sum())(v).sum(0),
    "two after each other": lambda v: slope(slope(v)) + slope(v),
    "checkpoint inside": lambda v: ag.checkpoint(slope, v) + slope(v),
}


def run(f, recorded, times):
    """Return results and gradients of f, called several times."""
    found = []
    for _ in range(times):
        W.grad, x = None, Tensor(START, requires_grad=recorded)
        y = f(x)
        found.append(y.data)
        if y.requires_grad:
            (y * y).sum().backward()
        found += [t.grad.data for t in (x, W) if t.grad is not None]
    return found


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_checkpoint_gives_what_the_function_gives(name, wanted):
    f = FUNCTIONS[name]
    wanted = wanted or name == "recorded"
    expected = run(f, wanted, 1)
    got = run(lambda x: ag.checkpoint(f, x), wanted, 1)
    assert len(got) == len(expected)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


COMPILED = {
    "grad": functional.grad(lambda y: (np.sin(y) * y).sum()),
    "no derivative": lambda y: np.sin(y) * y,
    "jacobian of jvp": functional.jacobian(lambda y: ag.jvp(np.sin, (y,), (y,))[1]),
}


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("name", COMPILED)
def test_a_checkpoint_holds_a_compiled_function(name, wanted):
    expected = COMPILED[name](Tensor(START)).data
    program = ag.compile(COMPILED[name])
    for _ in range(10):
        x = Tensor(START, requires_grad=wanted)
        if wanted:  # the result of a program is a number
            y = ag.checkpoint(lambda v: program(v.detach()) * v, x)
            y.sum().backward()
            down = expected if expected.ndim == 1 else expected.sum(0)
            np.testing.assert_allclose(x.grad.data, down, rtol=1e-13)
            np.testing.assert_allclose(y.data, expected * START, rtol=1e-13)
        else:
            y = ag.checkpoint(program, x)
            np.testing.assert_allclose(y.data, expected, rtol=1e-13)


def test_a_function_that_returns_other_results_is_still_found():
    calls = []

    def moody(v):
        calls.append(1)
        return np.exp(v) * len(calls)

    y = ag.checkpoint(moody, Tensor(START, requires_grad=True))
    with pytest.raises(RuntimeError, match=r"returned other results|saved"):
        y.sum().backward()
