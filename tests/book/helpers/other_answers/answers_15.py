"""Answers that a reader may well give to the exercises of chapter 15."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "15.1": [
        "log_one_minus_exp = lambda x: np.log(1 - np.exp(x))",
        "log_one_minus_exp = lambda x: np.log(-np.expm1(x))",
        "log_one_minus_exp = lambda x: np.log1p(-np.exp(x))",
        """
def log_one_minus_exp(x):  # a single where
    return np.where(x > -math.log(2), np.log(-np.expm1(x)), np.log1p(-np.exp(x)))
""",
        """
def log_one_minus_exp(x):  # the branches exchanged
    near = x < -math.log(2)
    close, far = np.where(near, x, -1.0), np.where(near, -1.0, x)
    return np.where(near, np.log(-np.expm1(close)), np.log1p(-np.exp(far)))
""",
        """
def log_one_minus_exp(x):  # one branch for all numbers
    if (x.data > -1).any():
        return np.log(-np.expm1(x))
    return np.log1p(-np.exp(x))
""",
        """
def log_one_minus_exp(x):  # only for a single number
    if x.item() > -1:
        return np.log(-np.expm1(x))
    return np.log1p(-np.exp(x))
""",
    ],
    "15.2": [
        "normalise = lambda v: v / np.linalg.norm(v)",
        "normalise = lambda v: v / np.sqrt((v * v).sum())",
        "normalise = lambda v: v / (np.linalg.norm(v) + 1e-12)",  # hides short ones
        "normalise = lambda v: v / np.maximum(np.linalg.norm(v), 1e-12)",
        """
def normalise(v):  # a single where
    n = np.linalg.norm(v)
    return np.where(n > 0, v / n, 0.0)
""",
        "normalise = lambda v: v / abs(v).sum()",
        "normalise = lambda v: np.nan_to_num((v / np.linalg.norm(v)).data)",
    ],
    "15.3": [
        "smooth_max = lambda a, b, k: np.log(np.exp(k * a) + np.exp(k * b)) / k",
        "smooth_max = lambda a, b, k: np.maximum(a, b)",
        "smooth_max = lambda a, b, k: np.logaddexp(a, b)",
        "smooth_max = lambda a, b, k: np.logaddexp(k * a, k * b)",
        """
def smooth_max(a, b, k):  # shifts by the smaller
    m = np.minimum(a, b)
    return m + np.log(np.exp(k * (a - m)) + np.exp(k * (b - m))) / k
""",
        """
def smooth_max(a, b, k):  # forgets to shift back
    m = np.maximum(a, b)
    return np.log(np.exp(k * (a - m)) + np.exp(k * (b - m))) / k
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "15.1": [
        """
def log_one_minus_exp(x):  # each branch moved a little to its side
    near = x.data > -0.5
    close = -np.expm1(np.where(near, x, -0.5))
    far = -np.exp(np.where(near, -0.5, x))
    return np.where(near, np.log(close), np.log1p(far))
""",
    ],
    "15.2": [
        """
def normalise(v):
    return v / np.linalg.norm(v) if v.data.any() else v * 1.0
""",
        """
def normalise(v):
    n = np.hypot(v[0], v[1])
    return v / np.where(n == 0, 1.0, n)
""",
    ],
    "15.3": [
        "smooth_max = lambda a, b, k: np.logaddexp(k * a, k * b) / k",
        """
def smooth_max(a, b, k):
    m = np.maximum(a, b).detach()
    return m + np.log(np.exp(k * (a - m)) + np.exp(k * (b - m))) / k
""",
        """
from autograd_lib.engine.ops.activations import softplus

def smooth_max(a, b, k):
    return a + softplus(k * (b - a)) / k
""",
    ],
}
