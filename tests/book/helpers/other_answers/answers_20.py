"""Answers that a reader may well give to the exercises of chapter 20."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "20.1": [
        """
def root_slope(F, x, a):  # the sign
    by_x, by_a = grad(F, (0, 1))(x, a)
    return by_a.item() / by_x.item()
""",
        """
def root_slope(F, x, a):  # upside down
    by_x, by_a = grad(F, (0, 1))(x, a)
    return -by_x.item() / by_a.item()
""",
        "root_slope = lambda F, x, a: -grad(F, 1)(x, a).item()",
        "root_slope = lambda F, x, a: grad(F, 0)(x, a).item()",
        """
def root_slope(F, x, a):  # the equation at another place
    by_x, by_a = grad(F, (0, 1))(a, x)
    return -by_a.item() / by_x.item()
""",
    ],
    "20.2": [
        "laplacian = lambda f, x: np.trace(hessian(f)(x).data)",
        """
def laplacian(f, x):  # the whole table, not its diagonal
    _, pullback = vjp(grad(f), x)
    return pullback(np.ones(len(x)))[0].data.sum()
""",
        """
def laplacian(f, x):  # records the gradient again for each row
    return sum(vjp(grad(f), x)[1](e)[0].data @ e for e in np.eye(len(x)))
""",
        """
def laplacian(f, x):  # slopes, not curvatures
    return grad(f)(x).data.sum()
""",
        """
def laplacian(f, x):  # a product
    _, pullback = vjp(grad(f), x)
    basis = np.eye(len(x))
    return np.prod([pullback(e)[0].data @ e for e in basis])
""",
    ],
    "20.3": [
        """
def softplus(x):  # another function with the same derivatives
    class Mended(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return np.log(2 + 2 * np.exp(x))

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g / (1 + np.exp(-x))

    return Mended.apply(x)
""",
        """
def softplus(x):  # as it was
    class Softplus(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.slope = 1 / (1 + np.exp(-x))
            return np.log(1 + np.exp(x))

        @staticmethod
        def backward(ctx, g):
            return g * ctx.slope

    return Softplus.apply(x)
""",
        "softplus = lambda x: np.log(1 + np.exp(x))",
        """
def softplus(x):  # the slope is not recorded
    class Mended(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return np.log(1 + np.exp(x))

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g / (1 + np.exp(-x.data))

    return Mended.apply(x)
""",
        """
def softplus(x):  # g is forgotten
    class Mended(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return np.log(1 + np.exp(x))

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 1 / (1 + np.exp(x))

    return Mended.apply(x)
""",
        """
def softplus(x):  # nothing is returned
    class Mended(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return np.log(1 + np.exp(x))

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g / (1 + np.exp(-x))
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "20.1": [
        """
def root_slope(F, x, a):
    return -(grad(F, 1)(x, a) / grad(F, 0)(x, a)).item()
""",
        """
def root_slope(F, x, a):  # one round of Newton's method, in which x is constant
    by_x = grad(F)(x, a).item()
    return grad(lambda a: x - F(x, a) / by_x)(a).item()
""",
        """
def root_slope(F, x, a):  # the difference of two roots, each found from F
    def root(a):
        found = x
        for _ in range(20):
            found = found - F(found, a) / grad(F)(found, a).item()
        return found

    return (root(a + 1e-4) - root(a - 1e-4)) / 2e-4
""",
    ],
    "20.2": [
        """
def laplacian(f, x):
    _, pullback = vjp(grad(f), x)
    total = 0.0
    for i in range(len(x)):
        e = np.zeros(len(x))
        e[i] = 1.0
        (row,) = pullback(e)
        total += (row * e).sum().item()
    return total
""",
    ],
    "20.3": [
        """
def softplus(x):  # from the result: the slope is 1 - exp(-y)
    class Mended(Function):
        @staticmethod
        def forward(ctx, x):
            y = np.log(1 + np.exp(x))
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * (1 - np.exp(-y))

    return Mended.apply(x)
""",
        """
def softplus(x):
    class Mended(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return np.maximum(x, 0) + np.log1p(np.exp(-abs(x)))

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return (1 + (x / 2).tanh()) / 2 * g

    return Mended.apply(x)
""",
    ],
}
