"""Memory that the graph relies on, reached by another road than a recorded one.

Views made under `no_grad`, arguments of a `Function`, results of a transform that show
its argument: a write into one of them is refused, recorded, or goes into a copy. It
never leaves a gradient of numbers that are gone, and never overwrites a leaf.
"""

import copy

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import functional
from autograd_lib.nn import Flatten

START = np.arange(1.0, 7.0).reshape(2, 3)
FACTOR = np.arange(2.0, 8.0).reshape(2, 3)

VIEWS = {
    "x[:1]": lambda x: x[:1],
    "x[0]": lambda x: x[0],
    "x[...]": lambda x: x[...],
    "x[None]": lambda x: x[None],
    "x[::-1]": lambda x: x[::-1],
    "T": lambda x: x.T,
    "reshape": lambda x: x.reshape(-1),
    "ravel": lambda x: x.ravel(),
    "swapaxes": lambda x: x.swapaxes(0, 1),
    "moveaxis": lambda x: np.moveaxis(x, 0, 1),
    "rollaxis": lambda x: np.rollaxis(x, 1),
    "squeeze": lambda x: x[:1].squeeze(),
    "squeeze of nothing": lambda x: np.squeeze(x),
    "expand_dims": lambda x: np.expand_dims(x, 0),
    "flip": lambda x: np.flip(x, 0),
    "rot90": np.rot90,
    "split": lambda x: np.split(x, 2)[0],
    "array_split": lambda x: np.array_split(x, 2)[0],
    "iteration": lambda x: next(iter(x)),
    "diagonal": lambda x: x.diagonal(),
    "broadcast_to": lambda x: np.broadcast_to(x, (2, 2, 3)),
    "einsum": lambda x: np.einsum("ij->ji", x),
    "einsum, diagonal": lambda x: np.einsum("ii->i", x[:, :2]),
    "atleast_3d": np.atleast_3d,
    "a view of a view": lambda x: x.T[:1].reshape(-1),
    "real": lambda x: x.real,
    "astype": lambda x: x.astype(float, copy=False),
    "Flatten": lambda x: Flatten()(x),
}


def quietly(view, x):
    with ag.no_grad():
        return view(x)


def quietly_again(view, x):
    with ag.no_grad():
        y = view(x)
    return y[...]


def quietly_copied(view, x):
    return copy.copy(quietly(view, x))


def in_forward(view, x, returns=False):
    """Return a view that the forward of a function makes of its argument."""
    made = []

    class Road(ag.Function):
        @staticmethod
        def forward(ctx, a):
            made.append(view(a))
            return made[0] if returns else a * 1

        @staticmethod
        def backward(ctx, g):
            return g.reshape(START.shape) if g.size == START.size else None

    y = Road.apply(x)
    return y if returns else made[0]


def in_jvp(view, x):
    return ag.jvp(view, (x,), (np.ones(x.shape),))[0]


def beside_jvp(view, x):
    pair = ag.jvp(lambda a: (a.sum(), view(a)), (x,), (np.ones(x.shape),), has_aux=True)
    return pair[2]


def beside_value(view, x):
    f = functional.value_and_grad(lambda a: (a.sum(), view(a)), has_aux=True)
    return f(x)[0][1]


ROADS = {
    "recorded": lambda view, x: view(x),
    "no_grad": quietly,
    "no_grad, then a view": quietly_again,
    "no_grad, then a copy of the tensor": quietly_copied,
    "in forward": in_forward,
    "from forward": lambda view, x: in_forward(view, x, True),
    "checkpoint": lambda view, x: ag.checkpoint(view, x),
    "checkpoint, no_grad": lambda view, x: quietly(lambda a: ag.checkpoint(view, a), x),
    "vjp": lambda view, x: functional.vjp(view, x)[0],
    "vjp, no_grad": lambda view, x: quietly(lambda a: functional.vjp(view, a)[0], x),
    "jvp": in_jvp,
    "jvp, no_grad": lambda view, x: quietly(lambda a: in_jvp(view, a), x),
    "jvp, beside": beside_jvp,
    "value_and_grad, beside": beside_value,
}


def write_some(y):
    y[...] = 7.0


def write_more(y):
    y *= 5.0


def done(road, view, write, x):
    """Return whether a write through a view was allowed."""
    y = road(view, x)
    before = x.data.copy()
    try:
        write(y)
    except (RuntimeError, ValueError, TypeError) as error:
        np.testing.assert_array_equal(x.data, before)
        assert len(str(error)) > 60  # says more than NumPy
        return False
    return True


@pytest.mark.parametrize("write", [write_some, write_more])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("road", ROADS)
def test_a_write_is_recorded_refused_or_goes_elsewhere(road, view, write):
    w = ag.Tensor(START, requires_grad=True)
    x = w * 1
    if not done(ROADS[road], VIEWS[view], write, x):
        return
    (x * FACTOR).sum().backward()

    # The same write changed x by so much for a change of w:
    once, twice = (ag.Tensor(START + h) * 1 for h in (0.0, 1.0))
    for plain in (once, twice):
        done(ROADS[road], VIEWS[view], write, plain)
    if not np.array_equal(x.data, START):  # it was written: else a copy was
        np.testing.assert_array_equal(w.grad.data, FACTOR * (twice.data - once.data))
    else:
        np.testing.assert_array_equal(w.grad.data, FACTOR)


@pytest.mark.parametrize("write", [write_some, write_more])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("road", ROADS)
def test_no_road_overwrites_a_leaf(road, view, write):
    w = ag.Tensor(START, requires_grad=True)
    done(ROADS[road], VIEWS[view], write, w)
    np.testing.assert_array_equal(w.data, START)


def test_the_message_names_the_way_out_which_works():
    w = ag.Tensor([1.0, 2.0], requires_grad=True)
    y = quietly(lambda x: x[:1], w)
    with pytest.raises(RuntimeError, match="view of a leaf that requires a gradient"):
        y *= 5
    with ag.no_grad():
        y *= 5
    np.testing.assert_array_equal(w.data, [5.0, 2.0])
    other = y.copy()
    other *= 2
    np.testing.assert_array_equal(w.data, [5.0, 2.0])


def test_a_view_may_be_written_into_once_nothing_records_its_numbers():
    w = ag.Tensor([1.0, 2.0], requires_grad=True)
    y = quietly(lambda x: x[:1], w * 1)
    y *= 5  # the tensor that it showed is gone
    np.testing.assert_array_equal(y.data, [5.0])


def test_a_view_under_no_grad_of_a_constant_is_written_into():
    c = ag.Tensor([1.0, 2.0])
    c *= 2
    y = quietly(lambda x: x[:1], c)
    y *= 5
    np.testing.assert_array_equal(c.data, [10.0, 4.0])


WRITES = {
    "*=": lambda x: x.__imul__(2),
    "[]": lambda x: x.__setitem__(0, 9.0),
    "fill": lambda x: x.fill(9.0),
    "of a view": lambda x: x[:1].fill(9.0),
    "of what is detached": lambda x: x.detach().fill(9.0),
    "out=": lambda x: np.add(x.data, 1, out=x.data),
    "an array": lambda x: x.data.__setitem__(0, 9.0),
    "a sort": lambda x: x.data.sort(),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("recording", [True, False])
def test_forward_does_not_write_into_an_argument(write, recording):
    class Writes(ag.Function):
        @staticmethod
        def forward(ctx, x, scale):
            WRITES[write](x)
            return x * scale

        @staticmethod
        def backward(ctx, g):
            return g, None

    w = ag.Tensor([3.0, 2.0], requires_grad=True)
    for x in (w, w * 1):
        with (
            ag.enable_grad() if recording else ag.no_grad(),
            pytest.raises(ValueError, match=r"read|written"),
        ):
            Writes.apply(x, ag.Tensor(2.0))
        np.testing.assert_array_equal(x.data, [3.0, 2.0])


def test_forward_may_write_into_a_constant():
    class Counts(ag.Function):
        @staticmethod
        def forward(ctx, x, calls):
            calls += 1
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2, None

    calls = ag.Tensor(0.0)
    Counts.apply(ag.Tensor(1.0, requires_grad=True), calls)
    assert calls.item() == 1


@pytest.mark.parametrize("which", [0, 1])
def test_backward_does_not_write_into_what_was_saved(which):
    class Writes(ag.Function):
        @staticmethod
        def forward(ctx, x):
            y = np.exp(x)
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            saved = ctx.saved_tensors[which]
            saved *= g
            return saved

    w = ag.Tensor([1.0, 2.0], requires_grad=True)
    y = Writes.apply(w)
    with pytest.raises(ValueError, match="read"):
        y.sum().backward()
    np.testing.assert_array_equal(w.data, [1.0, 2.0])
    np.testing.assert_array_equal(y.data, np.exp([1.0, 2.0]))


def test_jvp_does_not_write_into_a_tangent():
    class Writes(ag.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def jvp(ctx, t):
            t *= 2
            return t

    v = ag.Tensor([1.0, 1.0])
    with pytest.raises(ValueError, match="read"):
        ag.jvp(Writes.apply, (ag.Tensor([1.0, 2.0]),), (v,))
    np.testing.assert_array_equal(v.data, [1.0, 1.0])
