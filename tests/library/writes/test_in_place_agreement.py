"""The same writes in PyTorch: the same numbers or refusal, or a listed difference.

Each row of the list says what comes of it here, what there, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.witness_of_writes import leaf, weights
from tests.library.helpers.written_programs import IN_PLACE, STEPS, P, X, run

torch = pytest.importorskip("torch")
OVERLAP = "single memory location"  # PyTorch refuses to read what it writes


def torch_leaf(data: Any) -> Any:
    return torch.tensor(np.asarray(data), dtype=torch.float64, requires_grad=True)


def ours(program: Any) -> list[np.ndarray]:
    x, p = leaf(X), leaf(P)
    made = run(program, IN_PLACE, x, p, repeated=False)
    total: Any = sum((t * t * weights(t.shape)).sum() for t in made)
    slopes = grad(total, [x, p], create_graph=True)
    curvature = grad((slopes[0] * weights(X.shape)).sum(), [x, p], allow_unused=True)  # type: ignore
    return [zero_for(t) for t in (*made, *slopes, *curvature)]


def pytorchs(program: Any) -> list[np.ndarray]:
    x, p = torch_leaf(X), torch_leaf(P)
    made = run(program, IN_PLACE, x, p, repeated=False)
    total = sum((t * t * torch.tensor(weights(tuple(t.shape)))).sum() for t in made)
    slopes = torch.autograd.grad(total, [x, p], create_graph=True)
    number = (slopes[0] * torch.tensor(weights(X.shape))).sum()
    curvature = torch.autograd.grad(number, [x, p], allow_unused=True)
    return [zero_for(t) for t in (*made, *slopes, *curvature)]


def zero_for(t: Any) -> np.ndarray:
    """Return a tensor's array; 0 where nothing came."""
    return np.zeros(()) if t is None else np.asarray(t.detach().numpy())


@settings(max_examples=60)
@given(STEPS)
def test_programs_of_writes_agree(program: Any) -> None:
    got = ours(program)
    try:
        right = pytorchs(program)
    except RuntimeError as error:
        assert OVERLAP in str(error), error
        return
    for a, b in zip(got, right, strict=True):
        # Sums are taken in another order, and the numbers grow with each product.
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10 * (1 + abs(b).max()))


class Ours:
    leaf = staticmethod(leaf)
    constant = staticmethod(lambda a: Tensor(a))
    no_grad = no_grad
    exp = np.exp


class PyTorchs:
    leaf = staticmethod(torch_leaf)
    constant = staticmethod(lambda a: torch.tensor(np.asarray(a)))
    no_grad = torch.no_grad
    exp = torch.exp


def outcome(program: Callable[[Any, Any], Any], library: Any) -> Any:
    """Return the gradient with respect to the leaf [1, 2], or "refused"."""
    x = library.leaf([1.0, 2.0])
    try:
        with np.errstate(divide="ignore"):
            program(library, x).sum().backward()
    except (RuntimeError, TypeError, ValueError):
        return "refused"
    return x.grad.tolist()


def leaf_write(_: Any, x: Any) -> Any:
    x[0] = 5.0
    return x


def leaf_view_write(_: Any, x: Any) -> Any:
    x[:1] += 5.0
    return x


def leaf_under_no_grad(library: Any, x: Any) -> Any:
    with library.no_grad():
        x -= 1.0
    return x * x


def saved_then_no_grad(library: Any, x: Any) -> Any:
    y = x * x
    with library.no_grad():
        x -= 1.0
    return y


def result_overwritten(library: Any, x: Any) -> Any:
    y = library.exp(x)
    y += 1.0
    return y


def saved_then_detached(_: Any, x: Any) -> Any:
    y = x * 1.0
    z = y * y
    y.detach()[0] = 5.0
    return z


def detached_alone(_: Any, x: Any) -> Any:
    y = x * 3.0
    y.detach()[0] = 5.0
    return y


def infinite_dropped(_: Any, x: Any) -> Any:
    y = x * 1.0
    y[0] = 0.0
    return 1.0 / y


def itself_added(_: Any, x: Any) -> Any:
    y = x * 1.0
    y += y
    return y


def itself_multiplied(_: Any, x: Any) -> Any:
    y = x * 1.0
    y *= y
    return y


def data_element(_: Any, x: Any) -> Any:
    y = x * x
    x.data[0] = 5.0
    return y


def data_step(_: Any, x: Any) -> Any:
    y = x * x
    x.data -= 1.0
    return y


def element_view(_: Any, x: Any) -> Any:
    y = x * 1.0
    element = y[0]
    element *= 5.0
    return y


def shown_constant(library: Any, x: Any) -> Any:
    c = library.constant([0.0, 0.0])
    view = c[:1]
    c[0] = x[0] * 3.0
    return view + c


def integers(library: Any, x: Any) -> Any:
    c = library.constant([0, 0])
    c[0] = x[0]
    return x + c


def written_twice(_: Any, x: Any) -> Any:
    y = x * 0.0
    y[[0, 0]] = x
    return y


def freed_but_nothing_saved(_: Any, x: Any) -> Any:
    total = (x + 1.0).sum()
    total.backward()
    return total


def freed_view(_: Any, x: Any) -> Any:
    view = (y := x + 1.0)[:1]
    view.sum().backward()
    view[0] = 5.0
    return view + y * 0.0


SAME = [
    (leaf_write, "refused"),
    (leaf_view_write, "refused"),
    (saved_then_no_grad, "refused"),
    (result_overwritten, "refused"),
    (saved_then_detached, "refused"),
    (leaf_under_no_grad, [0.0, 2.0]),
    (detached_alone, [3.0, 3.0]),
    (infinite_dropped, [0.0, -0.25]),
    (itself_added, [2.0, 2.0]),
    (data_element, [10.0, 4.0]),  # wrong in both: the open escape hatch
]
DIFFERENT = [
    (itself_multiplied, [2.0, 4.0], "refused", "we copy what a rule needs of itself"),
    (data_step, "refused", [0.0, 2.0], "wrong there: `data` has a counter of its own"),
    (element_view, [1.0, 1.0], [5.0, 1.0], "NumPy's elements are copies, not views"),
    (shown_constant, "refused", [9.0, 0.0], "our constants do not know their views"),
    (integers, "refused", [1.0, 1.0], "a gradient would be lost in silence"),
    (written_twice, [0.0, 1.0], [1.0, 1.0], "the value that was lost gets a gradient"),
    (freed_but_nothing_saved, "refused", [2.0, 2.0], "a freed graph is a freed graph"),
    (freed_view, "refused", [1.0, 0.0], "our views know their way by their nodes"),
]


@pytest.mark.parametrize(("program", "both"), SAME)
def test_the_same_answer(program: Any, both: Any) -> None:
    assert outcome(program, Ours) == both
    assert outcome(program, PyTorchs) == both


@pytest.mark.parametrize(("program", "here", "there", "reason"), DIFFERENT)
def test_another_answer(program: Any, here: Any, there: Any, reason: str) -> None:
    assert reason
    assert outcome(program, Ours) == here
    assert outcome(program, PyTorchs) == there


def test_a_pass_that_fails_has_changed_no_grad_here() -> None:
    """PyTorch looks when it reads; by then some leaves may have their gradients."""
    for library, changed in ((Ours, False), (PyTorchs, True)):
        sound, x = library.leaf([1.0]), library.leaf([1.0])
        y = library.exp(x * 1.0)
        total = (sound * sound).sum() + y.sum()
        with library.no_grad():
            y += 1.0
        with pytest.raises(RuntimeError):
            total.backward()
        assert (sound.grad is not None) == changed
