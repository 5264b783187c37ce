"""Answers that a reader may well give to the exercises of chapter 17."""

from __future__ import annotations

from tests.book.helpers.other_answers.answers_16 import instead

NUDGED = """
def nudged(x, digit, amount):
    t = engine.Tensor(x, True)
    loss = engine.cross_entropy(scores(network, t), np.full(len(x), digit))
    (slope,) = engine.grad(loss, [t])
    step = amount * np.sign(slope.data)
    return np.clip(x - step, 0, 1)
"""
PUT = """
def put(x, shape, index):
    def fill(a):
        numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        places = np.ravel(numbers[index])
        sums = np.bincount(places, np.ravel(a), numbers.size)
        return sums.reshape(shape).astype(a.dtype)
    return engine.record(fill, (x, engine.take, index))
"""
WRONG: dict[str, list[str]] = {
    "17.1": [
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
    "17.3": [
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
    "17.4": [
        "nudged = by_formula",  # the check's own way
        instead(NUDGED, "x - step", "x + step"),  # uphill
        # pixels below 0 and above 1
        instead(NUDGED, "np.clip(x - step, 0, 1)", "x - step"),
        # the slope, not its sign
        instead(NUDGED, "np.sign(slope.data)", "slope.data"),
        """
def nudged(x, digit, amount):  # away from what it says now
    t = engine.Tensor(x, True)
    y = scores(network, t)
    loss = engine.cross_entropy(y, y.data.argmax(axis=1))
    (slope,) = engine.grad(loss, [t])
    return np.clip(x + amount * np.sign(slope.data), 0, 1)
""",
        """
def nudged(x, digit, amount):  # the slope of the score alone
    t = engine.Tensor(x, True)
    score = scores(network, t)[:, digit].sum()
    (slope,) = engine.grad(score, [t])
    return np.clip(x + amount * np.sign(slope.data), 0, 1)
""",
        "nudged = lambda x, digit, amount: x",
    ],
    "17.2": [
        "put = engine.put",  # the page's own
        "put = by_add_at",
        instead(PUT, ".astype(a.dtype)", ""),  # float64 for float32
        instead(PUT, "numbers.size)", "int(places.max()) + 1)"),  # too short
        instead(PUT, "np.ravel(a)", "np.abs(np.ravel(a))"),
        """
def put(x, shape, index):  # what is there twice is set once
    def fill(a):
        sums = np.zeros(shape, a.dtype)
        sums[index] += a
        return sums
    return engine.record(fill, (x, engine.take, index))
""",
        """
def put(x, shape, index):  # by add.at
    def fill(a):
        sums = np.zeros(shape, a.dtype)
        np.add.at(sums, index, a)
        return sums
    return engine.record(fill, (x, engine.take, index))
""",
        # no gradient of its own
        instead(
            PUT,
            "engine.record(fill, (x, engine.take, index))",
            "engine.Tensor(fill(x.data), dtype=x.data.dtype)",
        ),
    ],
}

RIGHT: dict[str, list[str]] = {
    "17.1": [
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
    "17.3": [
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
    "17.4": [
        NUDGED,
        """
def nudged(x, digit, amount):
    t = engine.Tensor(x, True)
    engine.log_softmax(scores(network, t))[:, digit].sum().backward()
    return (x + amount * np.sign(t.grad.data)).clip(0, 1)
""",
    ],
    "17.2": [
        PUT,
        """
def put(x, shape, index):  # a row of the product for each place
    def fill(a):
        numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        is_there = np.ravel(numbers[index])[:, None] == numbers.ravel()
        return (np.ravel(a) @ is_there).reshape(shape).astype(a.dtype)
    return engine.record(fill, (x, engine.take, index))
""",
    ],
}
