"""Answers that a reader may well give to the exercises of chapter 19."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "19.1": [
        "touched = lambda n, k, s, p, i: k",
        "touched = lambda n, k, s, p, i: -(-k // s)",
        "touched = lambda n, k, s, p, i: min(k, i + 1, n - i)",  # stride 1, no padding
        """
def touched(n, k, s, p, i):  # no padding
    return sum(b <= i < b + k for b in range(0, n - k + 1, s))
""",
        """
def touched(n, k, s, p, i):  # windows that stick out at the end
    return sum(b <= i < b + k for b in range(-p, n + p, s))
""",
        """
def touched(n, k, s, p, i):  # stride 1
    return sum(b <= i < b + k for b in range(-p, n + p - k + 1))
""",
        """
def touched(n, k, s, p, i):  # padding on the left only
    return sum(b <= i < b + k for b in range(-p, n - k + 1, s))
""",
    ],
    "19.2": [
        "mean_filters = avg_pool2d",
        "mean_filters = lambda channels, k: np.ones((channels, 1, k, k))",
        "mean_filters = lambda channels, k: np.ones((channels, 1, k, k)) / k",
        "mean_filters = lambda channels, k: np.ones((channels, channels, k, k)) / k**2",
        "mean_filters = lambda channels, k: np.ones((1, channels, k, k)) / k**2",
        "mean_filters = lambda n, k: np.ones((n, 1, k, k)) / (n * k**2)",
        "mean_filters = lambda channels, k: np.ones((channels, k, k)) / k**2",
    ],
    "19.3": [
        "filter_gradient = by_loops",  # the check's own way
        """
def filter_gradient(x, g):  # backwards
    windows = sliding_window_view(x, g.shape)
    return (windows * g[::-1, ::-1]).sum(axis=(2, 3))
""",
        """
def filter_gradient(x, g):  # summed over the wrong axes
    windows = sliding_window_view(x, g.shape)
    return (windows * g).sum(axis=(0, 1))
""",
        """
def filter_gradient(x, g):
    windows = sliding_window_view(x, g.shape)
    return (windows * g).mean(axis=(2, 3))
""",
        """
def filter_gradient(x, g):
    return (sliding_window_view(x, g.shape) * g).sum()
""",
        """
def filter_gradient(x, g):  # the slopes of a sum of all outputs
    return sliding_window_view(x, g.shape).sum(axis=(2, 3))
""",
    ],
    "19.4": [
        "nudged = by_formula",  # the check's own way
        """
def nudged(x, digit, amount):  # uphill
    t = Tensor(x, requires_grad=True)
    loss = network(t).cross_entropy(np.full(len(x), digit))
    return np.clip(x + amount * np.sign(grad(loss, t)[0].data), 0, 1)
""",
        """
def nudged(x, digit, amount):  # pixels below 0 and above 1
    t = Tensor(x, requires_grad=True)
    loss = network(t).cross_entropy(np.full(len(x), digit))
    return x - amount * np.sign(grad(loss, t)[0].data)
""",
        """
def nudged(x, digit, amount):  # the slope, not its sign
    t = Tensor(x, requires_grad=True)
    loss = network(t).cross_entropy(np.full(len(x), digit))
    return np.clip(x - amount * grad(loss, t)[0].data, 0, 1)
""",
        """
def nudged(x, digit, amount):  # away from what it says now
    t = Tensor(x, requires_grad=True)
    y = network(t)
    loss = y.cross_entropy(y.data.argmax(axis=1))
    return np.clip(x + amount * np.sign(grad(loss, t)[0].data), 0, 1)
""",
        """
def nudged(x, digit, amount):  # the slope of the score alone
    t = Tensor(x, requires_grad=True)
    score = network(t)[:, digit].sum()
    return np.clip(x + amount * np.sign(grad(score, t)[0].data), 0, 1)
""",
        "nudged = lambda x, digit, amount: x",
    ],
}

RIGHT: dict[str, list[str]] = {
    "19.1": [
        """
def touched(n, k, s, p, i):  # first and last window, counted in strides
    last = min((i + p) // s, (n + 2 * p - k) // s)
    first = max(-((k - 1 - i - p) // s), 0)
    return max(last - first + 1, 0)
""",
        """
def touched(n, k, s, p, i):
    seen = np.zeros(n + 2 * p, int)
    for begin in range(0, len(seen) - k + 1, s):
        seen[begin:begin + k] += 1
    return seen[p + i]
""",
    ],
    "19.2": [
        "mean_filters = lambda channels, k: np.full((channels, 1, k, k), k**-2.0)",
        "mean_filters = lambda n, k: Tensor(np.stack([np.ones((1, k, k))] * n) / k**2)",
    ],
    "19.3": [
        """
def filter_gradient(x, g):
    return np.einsum("ijkl,kl->ij", sliding_window_view(x, g.shape), g)
""",
        """
def filter_gradient(x, g):  # ask the engine
    shape = np.subtract(x.shape, g.shape) + 1
    w = Tensor(np.zeros((1, 1, *shape)), requires_grad=True)
    y = conv2d(x[None, None].astype(float), w)
    return grad((y * g).sum(), w)[0].data[0, 0]
""",
    ],
    "19.4": [
        """
def nudged(x, digit, amount):
    t = Tensor(x, requires_grad=True)
    network(t).log_softmax()[:, digit].sum().backward()
    return (x + amount * np.sign(t.grad.data)).clip(0, 1)
""",
    ],
}
