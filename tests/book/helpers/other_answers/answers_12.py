"""Answers that a reader may well give to the exercises of chapter 12."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "12.3": [
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
    "12.1": [
        "normalise = lambda v: v / np.sqrt((v * v).sum())",
        "normalise = lambda v: v / (np.sqrt((v * v).sum()) + 1e-12)",
        "normalise = lambda v: v / np.sqrt((v * v).sum() + 1e-12)",
        """
def normalise(v):  # a single where
    n = np.sqrt((v * v).sum())
    return np.where(n > 0.0, v / n, 0.0)
""",
        """
def normalise(v):  # the root has no slope all the same
    n = np.sqrt((v * v).sum())
    return v / np.where(n > 0.0, n, 1.0)
""",
        "normalise = lambda v: v / np.maximum(v, -v).sum()",
    ],
    "12.4": [
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
    "12.5": [
        "stress = broken_stress",
        """
def stress(points, wanted):  # moves every distance
    gaps = points[:, np.newaxis] - points
    lengths = np.sqrt((gaps * gaps).sum(2) + 1e-3)
    return ((np.log(1 + lengths) - np.log(1 + wanted)) ** 2).sum()
""",
        """
def stress(points, wanted):  # a single where
    squares = ((points[:, np.newaxis] - points) ** 2).sum(2)
    lengths = np.where(squares > 0, np.sqrt(squares), 0.0)
    return ((np.log(1 + lengths) - np.log(1 + wanted)) ** 2).sum()
""",
        """
def stress(points, wanted):  # the diagonal's distances become 1
    squares = ((points[:, np.newaxis] - points) ** 2).sum(2)
    lengths = np.sqrt(np.where(squares.data > 0, squares, 1.0))
    return ((np.log(1 + lengths) - np.log(1 + wanted)) ** 2).sum()
""",
        """
def stress(points, wanted):  # mends the loss, which is not broken
    return np.nan_to_num(broken_stress(points, wanted))
""",
        """
def stress(points, wanted):  # each pair once
    loss = 0.0
    for i in range(3):
        for j in range(i):
            n = np.linalg.norm(points[i] - points[j])
            loss = loss + (np.log(1 + n) - np.log(1 + wanted[i, j])) ** 2
    return loss
""",
        """
def stress(points, wanted):  # forgets the logarithms
    gaps = points[:, np.newaxis] - points
    return ((np.linalg.norm(gaps, axis=2) - wanted) ** 2).sum()
""",
    ],
    "12.2": [
        """
keep = engine.cross_entropy


def fused(scores, labels):  # many nodes
    return keep(scores, labels)
""",
        """
def fused(scores, labels):  # no shift
    labels = np.asarray(engine.plain(labels))
    is_right = labels[..., None] == np.arange(scores.shape[-1])
    if not np.array_equal(is_right.sum(-1), np.ones(scores.shape[:-1])):
        raise ValueError(f"labels: one class for each of {scores.shape[:-1]}")
    p = np.exp(scores.data) / np.exp(scores.data).sum(-1, keepdims=True)
    rows = is_right.sum()
    loss = -np.log(p[is_right]).sum() / rows
    slopes = (p - is_right) / rows
    return engine.record(lambda _: loss, (scores, engine.multiply, slopes))
""",
        """
def fused(scores, labels):  # the gradient of the sum
    z = scores.data - scores.data.max(-1, keepdims=True)
    labels = np.asarray(engine.plain(labels))
    is_right = labels[..., None] == np.arange(z.shape[-1])
    if not np.array_equal(is_right.sum(-1), np.ones(z.shape[:-1])):
        raise ValueError(f"labels: one class for each of {z.shape[:-1]}")
    total = np.exp(z).sum(-1, keepdims=True)
    loss = -(z - np.log(total))[is_right].mean()
    slopes = np.exp(z) / total - is_right
    return engine.record(lambda _: loss, (scores, engine.multiply, slopes))
""",
        """
def fused(scores, labels):  # any label
    z = scores.data - scores.data.max(-1, keepdims=True)
    labels = np.asarray(engine.plain(labels))
    is_right = labels[..., None] == np.arange(z.shape[-1])
    total = np.exp(z).sum(-1, keepdims=True)
    rows = len(z)
    loss = -(z - np.log(total))[is_right].sum() / rows
    slopes = (np.exp(z) / total - is_right) / rows
    return engine.record(lambda _: loss, (scores, engine.multiply, slopes))
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "12.3": [
        """
def log_one_minus_exp(x):  # each branch moved a little to its side
    near = x.data > -0.5
    close = -np.expm1(np.where(near, x, -0.5))
    far = -np.exp(np.where(near, -0.5, x))
    return np.where(near, np.log(close), np.log1p(far))
""",
    ],
    "12.1": [
        """
def normalise(v):
    return v / np.sqrt((v * v).sum()) if v.data.any() else v * 1.0
""",
        """
def normalise(v):
    s = (v * v).sum()
    away = engine.where(s.data == 0, 1.0, s)
    return v * away ** -0.5
""",
    ],
    "12.4": [
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
    "12.5": [
        """
def stress(points, wanted):
    squares = ((points[:, np.newaxis] - points) ** 2).sum(2)
    off = squares.data > 0
    lengths = np.where(off, np.sqrt(np.where(off, squares, 1.0)), 0.0)
    return ((np.log(1 + lengths) - np.log(1 + wanted)) ** 2).sum()
""",
        """
def stress(points, wanted):  # without the diagonal
    i, j = np.nonzero(~np.eye(len(wanted), dtype=bool))
    gaps = points[i] - points[j]
    lengths = np.sqrt((gaps * gaps).sum(1))
    return ((np.log(1 + lengths) - np.log(1 + wanted[i, j])) ** 2).sum()
""",
    ],
    "12.2": [
        """
def fused(scores, labels):
    labels = np.asarray(engine.plain(labels), int)
    n, k = scores.shape
    if labels.shape != (n,) or labels.min() < 0 or labels.max() >= k:
        raise ValueError("labels: one class for each row")
    z = scores.data - scores.data.max(-1, keepdims=True)
    p = np.exp(z) / np.exp(z).sum(-1, keepdims=True)
    loss = (np.log(np.exp(z).sum(-1)) - z[np.arange(n), labels]).mean()
    p[np.arange(n), labels] -= 1.0
    return engine.record(lambda _: loss, (scores, lambda g, s: g * s, p / n))
""",
    ],
}
