"""Answers that a reader may well give to the exercises of chapter 06."""

from __future__ import annotations


def summed(refuses: str, gives: str) -> str:
    """Return an answer to exercise 6.1, which begins by counting new axes."""
    return f"""
def sum_to(a, shape):
    new = a.ndim - len(shape)
    ones = [new + i for i, n in enumerate(shape) if n == 1]
    if {refuses}:
        raise ValueError(f"the shape {{shape}} is not copied to {{a.shape}}")
    return {gives}
"""


def standardised(*lines: str) -> str:
    """Return an answer to exercise 6.3, which begins by calculating D, s and n."""
    body = "\n    ".join(lines)
    return f"""
def standardised_vjp(Y_bar, X):
    D, n = X - X.mean(axis=0), len(X)
    s = np.sqrt((D * D).mean(axis=0) + 0.1)
    {body}
"""


MISFIT = "new < 0 or any(n not in (1, m) for n, m in zip(shape, a.shape[new:]))"
SUM = "a.sum((*range(new), *ones)).reshape(shape)"
OF_S = "v_bar = (-Y_bar * D / s**2).sum(axis=0) / (2 * s)"

WRONG: dict[str, list[str]] = {
    "6.1": [
        summed("False", SUM),
        summed("new < 0", SUM),
        summed(MISFIT.replace("new < 0 or ", ""), SUM),
        summed(MISFIT.replace("(1, m)", "(m,)"), SUM),
        summed(MISFIT, "a.sum(tuple(range(new))).reshape(shape)"),
        summed(MISFIT, "a.sum((*range(new), *ones))"),
        summed(MISFIT, SUM).replace(" is not copied to {a.shape}", " does not fit"),
    ],
    "6.2": [
        "breaks = lambda n: ((n,), (n, n))",  # it is right there
        "breaks = lambda n: ((n, 1), (n, 1))",  # nothing is copied
        "breaks = lambda n: ((1, n), (n, n))",
        "breaks = lambda n: ((n, n), (n, 1))",  # no copy
        "breaks = lambda n: ((2, 1), (2, 2))",  # not with n
        "breaks = lambda n: ((n, 1), (n, n + 1))",
    ],
    "6.4": [
        "sum_vjp = lambda y_bar, shape, axis: np.broadcast_to(y_bar, shape)",
        "sum_vjp = lambda y_bar, shape, axis: np.ones(shape) * y_bar[:, None]",
        "sum_vjp = lambda y_bar, shape, axis: y_bar",
        "sum_vjp = lambda y_bar, shape, axis: np.expand_dims(y_bar, axis)",
        "sum_vjp = lambda y_bar, shape, axis: np.ones(shape)",
        "sum_vjp = lambda y_bar, shape, axis: np.resize(y_bar, shape)",
        "sum_vjp = lambda y_bar, shape, axis: "
        "np.broadcast_to(np.expand_dims(y_bar, axis), shape) / shape[axis]",
    ],
    "6.3": [
        standardised("return Y_bar / s"),  # mean and deviation as constants
        standardised(  # without what comes through the mean
            OF_S, "return Y_bar / s + 2 * D * v_bar / n"
        ),
        standardised(  # the square's two uses of D, once
            OF_S,
            "D_bar = Y_bar / s + D * v_bar / n",
            "return D_bar - D_bar.sum(axis=0) / n",
        ),
        standardised(  # the mean of squares without its share
            OF_S,
            "D_bar = Y_bar / s + 2 * D * v_bar",
            "return D_bar - D_bar.sum(axis=0) / n",
        ),
        standardised(  # the copies of the mean not summed
            OF_S, "D_bar = Y_bar / s + 2 * D * v_bar / n", "return D_bar - D_bar / n"
        ),
        standardised(  # the deviation as a constant
            "D_bar = Y_bar / s", "return D_bar - D_bar.mean(axis=0)"
        ),
        "standardised_vjp = lambda Y_bar, X: standardised(Y_bar)",
    ],
}

RIGHT: dict[str, list[str]] = {
    "6.1": [
        summed(MISFIT, SUM),
        """
def sum_to(a, shape):
    try:
        copies = np.broadcast_to(np.empty(shape), a.shape)
    except ValueError:
        raise ValueError(f"{a.shape} is no copy of the shape {shape}") from None
    stood = tuple(i for i, step in enumerate(copies.strides) if step == 0)
    return np.asarray(a.sum(stood)).reshape(shape)
""",
    ],
    "6.2": [
        "breaks = lambda n: ((n, 1), (n, n))",
        "breaks = lambda n: [[n, 1], [n, n]]",
    ],
    "6.4": [
        "sum_vjp = lambda y_bar, shape, axis: "
        "np.repeat(np.expand_dims(y_bar, axis), shape[axis], axis)",
        "sum_vjp = lambda y_bar, shape, axis: "
        "np.ones(shape) * (y_bar[:, None] if axis else y_bar)",
        "sum_vjp = lambda y_bar, shape, axis: "
        "np.stack([y_bar] * shape[axis], axis=axis)",
    ],
    "6.3": [
        standardised(  # the formula on paper
            "Y = D / s",
            "inside = Y_bar - Y_bar.mean(axis=0) - Y * (Y_bar * Y).mean(axis=0)",
            "return inside / s",
        ),
        """
def standardised_vjp(Y_bar, X):
    rows, columns = X.shape
    X_bar = np.zeros(X.shape)
    for j in range(columns):
        d = X[:, j] - X[:, j].mean()
        s = np.sqrt((d * d).mean() + 0.1)
        d_bar = Y_bar[:, j] / s - d * (Y_bar[:, j] * d).sum() / (rows * s**3)
        X_bar[:, j] = d_bar - d_bar.mean()
    return X_bar
""",
    ],
}
