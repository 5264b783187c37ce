"""What a rule saved and somebody wrote into since is noticed, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.function import Function
from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.record import unary
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.witness_of_writes import leaf

LATE = "written into since"


def write_under_no_grad(t: Tensor) -> None:
    with no_grad():
        if t.data.flags.writeable:
            t[...] = 0.375


def write_into_detached(t: Tensor) -> None:
    if t.data.flags.writeable:
        t.detach()[...] = 0.375


class Squared(Function):
    """Saves its input."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * g * x


class Exponentials(Function):
    """Saves both of its results."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y, z = np.exp(x), np.exp(2 * x)
        ctx.save_for_backward(y, z)
        return y, z

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        y, z = ctx.saved_tensors
        return g * y + 2 * h * z


# Each returns what is to be written into, and a result that depends on it.
SAVING: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "a factor": lambda t: (t, t * t),
    "a factor, through a view": lambda t: (t, t[1:] * t[:-1]),
    "one of two factors": lambda t: (t, t * leaf(np.ones((3, 2)))),
    "an operand of a matrix product": lambda t: (t, t.T @ t),
    "a result": lambda t: ((y := np.exp(t)), y + 0.0),
    "a result that is shown": lambda t: ((y := np.tanh(t)), y.T.reshape(3, 2) + 0.0),
    "by a Function, its input": lambda t: (t, Squared.apply(t)),
    "by a Function, one of its results": lambda t: (
        (both := Exponentials.apply(t))[1],
        both[0] + 0.0,
    ),
}


def data_step(t: Tensor) -> None:
    t.data -= 1.0


def view_add(t: Tensor) -> None:
    view = t[:1]
    view += 1.0


def recorded(t: Tensor) -> None:
    t *= 2.0


def needing(t: Tensor) -> None:
    t[0] = leaf([1.0, 2.0])


def element(t: Tensor) -> None:
    t[0, 0] += 1.0


def detached_step(t: Tensor) -> None:
    constant = t.detach()
    constant += 1.0


def step_under_no_grad(t: Tensor) -> None:
    with no_grad():
        t /= 2.0


WRITES: dict[str, Callable[[Tensor], None]] = {
    "in place": recorded,
    "setitem of a value that needs a gradient": needing,
    "an element": element,
    "a view": view_add,
    "a detached tensor": write_into_detached,
    "no_grad": write_under_no_grad,
    "a detached tensor, in place": detached_step,
    "no_grad, in place": step_under_no_grad,
    "data -=": data_step,
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("saving", SAVING.values(), ids=SAVING)
def test_every_way_to_write_is_noticed_before_anything_is_done(
    saving: Any, write: Any
) -> None:
    called: list[Any] = []
    x, other = leaf(np.ones((3, 2))), leaf(3.0)
    t, y = saving(x * 1.0)
    sound = other * other
    sound.register_hook(called.append)
    write(t)
    total = y.sum() + sound
    for _ in range(2):
        with pytest.raises(RuntimeError, match=LATE):
            total.backward()
        with pytest.raises(RuntimeError, match=LATE):
            grad(total, [x, other])
    assert x.grad is None
    assert other.grad is None
    assert not called
    (slope,) = grad(total, other)  # no stale node leads there, and nothing was freed
    assert slope is not None and slope.item() == 6.0


@pytest.mark.parametrize("saving", SAVING.values(), ids=SAVING)
def test_another_array_is_noticed_where_the_old_one_is_gone(saving: Any) -> None:
    slopes = []
    for array in (None, np.zeros((3, 2))):
        x = leaf(np.ones((3, 2)))
        t, y = saving(x * 1.0)
        if array is not None:
            t.data = array
        try:
            slopes.append(grad(y.sum(), x)[0])
        except RuntimeError as error:
            assert LATE in str(error)
            return
    assert slopes[0] is not None and slopes[1] is not None
    assert slopes[0].tolist() == slopes[1].tolist()


def test_what_leads_to_no_stale_node_goes_on() -> None:
    x = leaf([1.0, 2.0])
    y = x * 1.0
    y *= 3.0  # before it is saved
    z = y * y
    other = x * 1.0
    other += 1.0  # of another buffer
    s = z + other
    s += 1.0  # sums save nothing
    z -= 5.0  # a product saves its factors, not its result
    total = s.sum()
    s[...] = 0.0  # its value was not saved either, and the total is of the time before
    total.backward()
    assert x.grad is not None and x.grad.tolist() == [19.0, 37.0]


def test_each_result_of_a_function_is_looked_at_alone() -> None:
    x = leaf([1.0, 2.0])
    y, z = Exponentials.apply(x)
    t = z * 1.0
    t *= 2.0
    y.sum().backward(retain_graph=True)
    y += 1.0
    with pytest.raises(RuntimeError, match="Exponentials.forward saved.*" + LATE):
        t.sum().backward()


class Handed(Function):
    """Returns its input, twice, and a view of it."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x, x, x[:1]

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any, i: Any) -> Any:
        return g + h + i


def test_outputs_of_a_function_have_arrays_of_their_own() -> None:
    x = leaf([1.0, 2.0])
    y = x * x
    outputs = Handed.apply(x)
    for out in outputs:
        out += 1.0
    assert x.data.tolist() == [1.0, 2.0]
    assert [out.data.tolist() for out in outputs] == [[2.0, 3.0], [2.0, 3.0], [2.0]]
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2.0, 4.0]


def test_a_second_pass_looks_again() -> None:
    x = leaf([1.0, 2.0])
    y = x * 1.0
    total = (y * y).sum()
    total.backward(retain_graph=True)
    total.backward(retain_graph=True)
    assert x.grad is not None and x.grad.tolist() == [4.0, 8.0]
    y += 1.0
    with pytest.raises(RuntimeError, match=LATE):
        total.backward()
    assert x.grad.tolist() == [4.0, 8.0]


def test_a_pass_over_a_recorded_pass_looks_too() -> None:
    for write in (recorded, write_into_detached, write_under_no_grad):
        x, u = leaf(np.ones((3, 2))), leaf(np.ones((3, 2)))
        y = np.exp(x)
        (slope,) = grad(y, x, u, create_graph=True)
        assert slope is not None
        write(y)
        with pytest.raises(RuntimeError, match=LATE):
            grad(slope.sum(), u)


def test_plain_arrays_are_beyond_notice() -> None:
    """The open escape hatch: `data`, an array that is shared, an array as operand."""
    x, array = leaf([3.0]), np.array([3.0])
    shared = from_numpy(array).requires_grad_()
    y = x * x + shared * shared
    x.data[0] = array[0] = 5.0
    y.backward()
    assert x.grad is not None and shared.grad is not None
    assert x.grad.tolist() == shared.grad.tolist() == [10.0]


class KeepsItsInput(Function):
    """Keeps its input as an attribute of the context."""

    @staticmethod
    def forward(ctx: Any, x: Any, as_array: bool) -> Any:
        ctx.kept = x.data if as_array else x
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 2 * g * ctx.kept, None


PLAIN: dict[str, Callable[[Tensor, Tensor], Any]] = {
    "data of a leaf": lambda x, w: x * w.data,
    "numpy of a constant": lambda x, w: x * w.detach().numpy(),
    "a part of it": lambda x, w: x / w.data[::-1],
    "a plain exponent": lambda x, w: x**w.data,
    "a Function's attribute": lambda x, w: x * KeepsItsInput.apply(w, False),
    "a Function's array": lambda x, w: x * KeepsItsInput.apply(w, True),
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_write_through_a_tensor_into_a_plain_array_that_is_held(name: str) -> None:
    x, w = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    z = PLAIN[name](x, w).sum()
    with no_grad():
        w *= 5
    with pytest.raises(RuntimeError, match=LATE):
        z.backward()


def test_a_write_through_a_tensor_that_shares_an_array() -> None:
    a, x = np.array([3.0, 4.0]), leaf([1.0, 2.0])
    z = (x * a).sum()
    from_numpy(a)[:] = 0.0
    with pytest.raises(RuntimeError, match=f"multiply .*{LATE}"):
        z.backward()


def test_a_write_by_a_hook_in_the_pass() -> None:
    a, x = np.array([3.0, 4.0]), leaf([1.0, 2.0])
    y = (x * a) * 2.0
    y.register_hook(lambda g: from_numpy(a).fill(0.0))
    with pytest.raises(RuntimeError, match=LATE):
        y.sum().backward()


def test_a_write_elsewhere_is_no_write_into_a_plain_array() -> None:
    a, x, other = np.array([3.0, 4.0]), leaf([1.0, 2.0]), Tensor([1.0])
    chosen = np.where(np.array([True, False]), x * a, 0.0)[np.array([0, 1])]
    other[0] = 2.0
    chosen.sum().backward()
    assert x.grad.tolist() == [3.0, 0.0]


def test_a_rule_cannot_write_into_the_gradient_that_a_pass_begins_with() -> None:
    def rule(g: Any, _: None) -> Any:
        g *= 2
        return g

    x, seed = leaf([1.0, 2.0]), Tensor([1.0, 1.0])
    y = unary(np.positive, x, rule, None)
    with pytest.raises(ValueError, match="read-only"):
        y.backward(seed)
    assert seed.tolist() == [1.0, 1.0]


def test_a_write_into_what_is_saved_within_something_saved_is_noticed() -> None:
    from autograd_lib.nn.functional import normalize

    x = Tensor([[1.0, 2.0, 4.0]], requires_grad=True) * 1.0
    y = normalize(x, (-1,), None, None, 1e-5)
    with no_grad():
        x += 1
    with pytest.raises(RuntimeError, match="written into"):
        grad(y, x, np.ones((1, 3)))
