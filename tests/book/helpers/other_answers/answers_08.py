"""Answers that a reader may well give to the exercises of chapter 08."""

from __future__ import annotations


def divide(in_a: str, in_b: str) -> str:
    """Return an answer to exercise 8.2."""
    return f"divide_vjp = lambda Y_bar, A, B: ({in_a}, {in_b})"


def standardised(*lines: str) -> str:
    """Return an answer to exercise 8.4, which begins by calculating D, s and n."""
    body = "\n    ".join(lines)
    return f"""
def standardised_vjp(Y_bar, X):
    D, n = X - X.mean(axis=0), len(X)
    s = np.sqrt((D * D).mean(axis=0) + 0.1)
    {body}
"""


IN_A, IN_B = (
    "unbroadcast(Y_bar / B, A.shape)",
    "unbroadcast(-Y_bar * A / B**2, B.shape)",
)
OF_S = "v_bar = (-Y_bar * D / s**2).sum(axis=0) / (2 * s)"

WRONG: dict[str, list[str]] = {
    "8.1": [
        "cumsum_vjp = lambda y_bar: np.cumsum(y_bar)",
        "cumsum_vjp = lambda y_bar: np.cumsum(y_bar[::-1])",
        "cumsum_vjp = lambda y_bar: y_bar[::-1].cumsum()[::-1][None, :]",
        "cumsum_vjp = lambda y_bar: np.sort(y_bar)[::-1].cumsum()[::-1]",
        "cumsum_vjp = lambda y_bar: np.tri(len(y_bar)).T @ y_bar",
        "cumsum_vjp = lambda y_bar: y_bar @ np.tri(len(y_bar), dtype=np.int8)",
        "cumsum_vjp = lambda y_bar: y_bar.sum() - y_bar.cumsum()",
    ],
    "8.2": [
        divide("Y_bar / B", "-Y_bar * A / B**2"),
        divide(IN_A, "unbroadcast(Y_bar * A / B**2, B.shape)"),
        divide(IN_A, "unbroadcast(-Y_bar * A / B, B.shape)"),
        divide("unbroadcast(1 / B, A.shape)", "unbroadcast(-A / B**2, B.shape)"),
        divide("unbroadcast(Y_bar, A.shape) / B", IN_B),
        divide(
            "(Y_bar / B).sum(axis=1, keepdims=True)",
            "(-Y_bar * A / B**2).sum(axis=0)",
        ),
        divide(IN_B, IN_A),
        f"divide_vjp = lambda Y_bar, A, B: {IN_A}",
    ],
    "8.3": [
        "sum_vjp = lambda y_bar, shape, axis: np.broadcast_to(y_bar, shape)",
        "sum_vjp = lambda y_bar, shape, axis: np.ones(shape) * y_bar[:, None]",
        "sum_vjp = lambda y_bar, shape, axis: y_bar",
        "sum_vjp = lambda y_bar, shape, axis: np.expand_dims(y_bar, axis)",
        "sum_vjp = lambda y_bar, shape, axis: np.ones(shape)",
        "sum_vjp = lambda y_bar, shape, axis: np.resize(y_bar, shape)",
        "sum_vjp = lambda y_bar, shape, axis: "
        "np.broadcast_to(np.expand_dims(y_bar, axis), shape) / shape[axis]",
    ],
    "8.4": [
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
    "8.1": [
        "cumsum_vjp = lambda y_bar: y_bar.sum() - y_bar.cumsum() + y_bar",
        """
def cumsum_vjp(y_bar):
    x_bar, total = [], 0.0
    for gradient in reversed(y_bar):
        total += gradient
        x_bar.insert(0, total)
    return x_bar
""",
        "cumsum_vjp = lambda y_bar: np.flip(np.add.accumulate(np.flip(y_bar)))",
    ],
    "8.2": [
        divide(
            "unbroadcast(Y_bar * B**-1.0, np.shape(A))",
            "unbroadcast(-Y_bar * A / B**2, np.shape(B))",
        ),
        divide(IN_A, "-unbroadcast(Y_bar * A, B.shape) / B**2"),
        f"divide_vjp = lambda Y_bar, A, B: [{IN_A}, {IN_B}]",
    ],
    "8.3": [
        "sum_vjp = lambda y_bar, shape, axis: "
        "np.repeat(np.expand_dims(y_bar, axis), shape[axis], axis)",
        "sum_vjp = lambda y_bar, shape, axis: "
        "np.ones(shape) * (y_bar[:, None] if axis else y_bar)",
        "sum_vjp = lambda y_bar, shape, axis: "
        "np.stack([y_bar] * shape[axis], axis=axis)",
    ],
    "8.4": [
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
