"""Answers that a reader may well give to the exercises of chapter 10."""

from __future__ import annotations


def of_class(forward: str, backward: str, end: str, arguments: str = "x") -> str:
    """Return an answer: a Function with these two bodies, and a function that calls."""
    return f"""
class Mine(Function):
    @staticmethod
    def forward(ctx, {arguments}):
        {forward}

    @staticmethod
    def backward(ctx, g):
        {backward}


def {end}({arguments}):
    return Mine.apply({arguments})
"""


def reciprocal(forward: str, backward: str) -> str:
    """Return an answer to exercise 10.1, which calculates y = 1 / x.data first."""
    return of_class(f"y = 1 / x.data; {forward}", backward, "reciprocal")


def divide(backward: str) -> str:
    """Return an answer to exercise 10.2."""
    forward = "ctx.save_for_backward(x, y); return x.data / y.data"
    return of_class(forward, f"x, y = ctx.saved_tensors; {backward}", "divide", "x, y")


def squared(forward: str, backward: str) -> str:
    """Return an answer to exercise 10.3, which calculates d = x - y first."""
    forward = f"d = x.data - y.data; {forward}; return d * d"
    return of_class(forward, backward, "squared", "x, y")


WRONG: dict[str, list[str]] = {
    "10.1": [
        reciprocal(
            "ctx.save_for_backward(x); return y",
            "(x,) = ctx.saved_tensors; return -g * x**-2",
        ),
        reciprocal(
            "ctx.save_for_backward(x, Tensor(y)); return y",
            "t = ctx.saved_tensors[1]; return -g * t * t",
        ),
        reciprocal(
            "ctx.save_for_backward(Tensor(-y * y)); return y",
            "return g * ctx.saved_tensors[0]",
        ),
        reciprocal(
            "ctx.save_for_backward(Tensor(y)); return y",
            "t = ctx.saved_tensors[0]; return -t * t",
        ),
        reciprocal(
            "ctx.save_for_backward(Tensor(y)); return y",
            "t = ctx.saved_tensors[0]; return g * t * t",
        ),
        reciprocal(
            "ctx.save_for_backward(Tensor(y)); return y",
            "t = ctx.saved_tensors[0]; return -g * t",
        ),
        reciprocal("ctx.y = y; return y", "return -g * ctx.y * ctx.y"),
        reciprocal(
            "ctx.save_for_backward(Tensor(y)); ctx.x = x.data; return y",
            "t = ctx.saved_tensors[0]; return -g * t * t",
        ),
        "reciprocal = lambda x: Tensor(1 / x.data)",
        "reciprocal = lambda x: 1 / x.data",
    ],
    "10.2": [
        divide("return g * y**-1, g * x * y**-2"),
        divide("return y**-1, -x * y**-2"),
        divide("return g * y**-1, -g * x * y**-1"),
        divide("return g * y**-1"),
        divide("return -g * x * y**-2, g * y**-1"),
        divide("return (g * y**-1).sum(), (-g * x * y**-2).sum()"),
        divide(
            "a, b = (g * y**-1).data, (-g * x * y**-2).data;"
            " return a.sum(axis=0), b.sum(axis=1, keepdims=True)"
        ),
        "divide = lambda x, y: x * y**-1",
        "divide = lambda x, y: Tensor(x.data / y.data)",
        """
class Div(Function):
    @staticmethod
    def forward(ctx, x, y):
        Div.saved = x, y
        return x.data // y.data

    @staticmethod
    def backward(ctx, g):
        x, y = Div.saved
        return g * y**-1, -g * x * y**-2


divide = Div.apply
""",
    ],
    "10.3": [
        squared(
            "ctx.save_for_backward(x, y)",
            "x, y = ctx.saved_tensors; s = 2 * g * (x - y); return s, -s",
        ),
        squared(
            "ctx.save_for_backward(Tensor(d * d))",
            "s = 2 * g.data * np.sqrt(ctx.saved_tensors[0].data); return s, -s",
        ),
        squared(
            "ctx.save_for_backward(Tensor(d))",
            "s = 2 * g * ctx.saved_tensors[0]; return s, s",
        ),
        squared(
            "ctx.save_for_backward(Tensor(d))",
            "s = g * ctx.saved_tensors[0]; return s, -s",
        ),
        squared(
            "ctx.both = (x.data.copy(), y.data.copy())",
            "s = 2 * g * (ctx.both[0] - ctx.both[1]); return s, -s",
        ),
        squared(
            "ctx.one = np.array([x.data, y.data])",
            "s = 2 * g * (ctx.one[0] - ctx.one[1]); return s, -s",
        ),
        squared(
            "Function.kept = d", "s = 2 * g * Function.kept; return s, -s"
        ),  # on the class: nothing in the context
        "squared = lambda x, y: (x - y) ** 2",
        "squared = lambda x, y: (x - y) * (x - y)",
    ],
}

RIGHT: dict[str, list[str]] = {
    "10.1": [
        reciprocal(
            "ctx.save_for_backward(y); return y",
            "(y,) = ctx.saved_tensors; return -g * y**2",
        ),
        reciprocal(
            "ctx.save_for_backward(y); return Tensor(y)",
            "(y,) = ctx.saved_tensors; return -(g.data * y * y)",
        ),
    ],
    "10.2": [
        divide("return g.data / y.data, -g.data * x.data / y.data**2"),
        divide("q = y**-1; return g * q, -g * x * q * q"),
        """
from autograd_lib.broadcast import unbroadcast


class Div(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x.data, y.data)
        return x.data / y.data

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        of_y = -g.data * x / y**2
        return unbroadcast(g.data / y, x.shape), unbroadcast(of_y, y.shape)


divide = Div.apply
""",
    ],
    "10.3": [
        squared("ctx.d = d", "s = 2 * g * ctx.d; return s, -s"),
        squared(
            "ctx.save_for_backward(2 * d)",
            "(d,) = ctx.saved_tensors; return g * d, g * -d",
        ),
        squared(
            "ctx.save_for_backward(x - y)",
            "(d,) = ctx.saved_tensors; return 2 * g * d, -2 * g * d",
        ),
    ],
}
