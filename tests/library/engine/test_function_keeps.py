"""What a `Function` keeps on its context has its place in the graph, as in PyTorch."""

import gc
import weakref

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.functional import grad

WAYS = {  # how forward keeps x or y, and how backward gets eˣ from it
    "attribute": (lambda ctx, x, y: setattr(ctx, "y", y), lambda ctx: ctx.y),
    "list": (lambda ctx, x, y: setattr(ctx, "y", [1, y]), lambda ctx: ctx.y[1]),
    "tuple": (lambda ctx, x, y: setattr(ctx, "y", (x, y)), lambda ctx: ctx.y[1]),
    "dictionary": (
        lambda ctx, x, y: setattr(ctx, "y", {"of": [y]}),
        lambda ctx: ctx.y["of"][0],
    ),
    "saved": (
        lambda ctx, x, y: ctx.save_for_backward(x, y),
        lambda ctx: ctx.saved_tensors[1],
    ),
    "both": (
        lambda ctx, x, y: (ctx.save_for_backward(y), setattr(ctx, "y", y)),
        lambda ctx: 0.5 * (ctx.y + ctx.saved_tensors[0]),
    ),
    "input": (lambda ctx, x, y: setattr(ctx, "x", x), lambda ctx: np.exp(ctx.x)),
    "inputs": (
        lambda ctx, x, y: setattr(ctx, "x", {"x": [x]}),
        lambda ctx: np.exp(ctx.x["x"][0]),
    ),
}


def exponential(way, several=False):
    """Return eˣ as a function that keeps x or y in this way."""
    keep, read = WAYS[way]

    class Exp(ag.Function):
        @staticmethod
        def forward(ctx, x):
            y = np.exp(x)
            keep(ctx, x, y)
            return (x * 1, y) if several else y

        @staticmethod
        def backward(ctx, *gs):
            return gs[-1] * read(ctx)

        @staticmethod
        def jvp(ctx, t):
            return (t, t * read(ctx)) if several else t * read(ctx)

    return (lambda x: Exp.apply(x)[1]) if several else Exp.apply


def along(f):
    return lambda x: ag.jvp(f, (x,), (1.0,))[1]


ORDERS = {
    "1": grad,
    "2": lambda f: grad(grad(f)),
    "3": lambda f: grad(grad(grad(f))),
    "forward": along,
    "forward twice": lambda f: along(along(f)),
    "forward over reverse": lambda f: along(grad(f)),
    "reverse over forward": lambda f: grad(along(f)),
    "compiled": lambda f: ag.compile(grad(grad(f))),
}


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_kept_has_derivatives_of_every_order(way, order, several):
    f = ORDERS[order](exponential(way, several))
    assert f(ag.Tensor(1.0)).item() == pytest.approx(np.e, rel=1e-14)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_kept_makes_no_cycle(way):
    gc.collect()
    gc.disable()
    try:
        node = weakref.ref(exponential(way)(ag.Tensor(1.0, requires_grad=True)).node)
        assert node() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("way", WAYS)
def test_a_write_into_what_is_kept_is_noticed(way):
    x = ag.Tensor([1.0, 2.0], requires_grad=True) * 1
    y = exponential(way)(x)
    written = x if "input" in way else y
    with ag.no_grad():
        written *= 2
    with pytest.raises(RuntimeError, match="written into"):
        y.sum().backward()


def test_the_context_names_an_attribute_that_is_missing():
    class Forgot(ag.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * ctx.scale

    y = Forgot.apply(ag.Tensor(1.0, requires_grad=True))
    with pytest.raises(AttributeError, match=r"no attribute 'scale'; forward sets"):
        y.backward()
