"""Answers that a reader may well give to the exercises of chapter 18."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "18.1": [
        """
def dropout(x, p, rng):  # the mean does not stay
    return x * (rng.random(x.shape) >= p)
""",
        """
def dropout(x, p, rng):  # p of the numbers are left
    return x * ((rng.random(x.shape) < p) / max(p, 1e-9))
""",
        """
def dropout(x, p, rng):  # divided by the wrong share
    return x * ((rng.random(x.shape) >= p) / max(p, 1e-9))
""",
        """
def dropout(x, p, rng):  # one draw for a whole column
    return x * ((rng.random(x.shape[-1]) >= p) / (1 - p))
""",
        """
def dropout(x, p, rng):  # not recorded
    return engine.Tensor(x.data * (rng.random(x.shape) >= p) / (1 - p), True)
""",
        """
def dropout(x, p, rng):  # the gradient goes everywhere
    left = rng.random(x.shape) >= p
    rule = lambda g: g * (1 / (1 - p))
    return engine.record(lambda a: a * left / (1 - p), (x, rule))
""",
        """
def dropout(x, p, rng):  # a new mask on the way back
    draw = lambda: (rng.random(x.shape) >= p) / (1 - p)
    return engine.record(lambda a: a * draw(), (x, lambda g: g * draw()))
""",
    ],
    "18.2": [
        """
def last_seen(attention, x):  # a sum that is always 1
    found = []
    for row in map(attention(x).__getitem__, range(x.shape[0])):
        (slopes,) = engine.grad(row.sum(), [x])
        found.append(int(np.nonzero(slopes.data.any(axis=1))[0].max()))
    return found
""",
        """
def last_seen(attention, x):  # where the slope is largest
    found = []
    for row in map(attention(x).__getitem__, range(x.shape[0])):
        (slopes,) = engine.grad(row[0], [x])
        found.append(int(np.abs(slopes.data).sum(axis=1).argmax()))
    return found
""",
        """
def last_seen(attention, x):  # the first row
    found = []
    for row in map(attention(x).__getitem__, range(x.shape[0])):
        (slopes,) = engine.grad(row[0], [x])
        found.append(int(np.nonzero(slopes.data.any(axis=1))[0].min()))
    return found
""",
        "last_seen = lambda attention, x: list(range(x.shape[0]))",
        "last_seen = lambda attention, x: [x.shape[0] - 1] * x.shape[0]",
        """
def last_seen(attention, x):  # all rows of the result at once
    pull = np.random.default_rng(0).normal(size=x.shape)
    (slopes,) = engine.grad((attention(x) * pull).sum(), [x])
    return np.nonzero(slopes.data.any(axis=1))[0].tolist()
""",
    ],
    "18.3": [
        "attend_in_heads = lambda q, k, v, h: attend_causally(q, k, v)",
        """
def attend_in_heads(q, k, v, h):  # every h-th column
    found = np.zeros(q.shape)
    for i in range(h):
        found[:, i::h] = attend_causally(q[:, i::h], k[:, i::h], v[:, i::h])
    return found
""",
        """
def attend_in_heads(q, k, v, h):  # below each other
    cut = (np.split(a, h, axis=1) for a in (q, k, v))
    return np.vstack([attend_causally(*head) for head in zip(*cut)])
""",
        """
def attend_in_heads(q, k, v, h):  # rows are cut
    cut = (np.split(a, h, axis=0) for a in (q, k, v))
    return np.vstack([attend_causally(*head) for head in zip(*cut)])
""",
        """
def attend_in_heads(q, k, v, h):  # scaled by the whole width
    cut = (np.split(a, h, axis=1) for a in (q / h**0.5, k, v))
    return np.hstack([attend_causally(*head) for head in zip(*cut)])
""",
        """
def attend_in_heads(q, k, v, h):  # the values are not cut
    cut = (np.split(a, h, axis=1) for a in (q, k))
    return sum(attend_causally(*head, v) for head in zip(*cut)) / h
""",
    ],
    "18.4": [
        """
def chances(scores, temperature, k):  # times, not divided
    kept = np.where(scores >= np.sort(scores)[-k], scores, -np.inf)
    return softmax(kept * temperature)
""",
        """
def chances(scores, temperature, k):  # one too few
    kept = np.where(scores > np.sort(scores)[-k], scores, -np.inf)
    return softmax(kept / temperature)
""",
        """
def chances(scores, temperature, k):  # the shares do not sum to 1
    p = softmax(scores / temperature)
    return np.where(scores >= np.sort(scores)[-k], p, 0)
""",
        """
def chances(scores, temperature, k):  # a score of 0 is not a chance of 0
    kept = np.where(scores >= np.sort(scores)[-k], scores, 0)
    return softmax(kept / temperature)
""",
        """
def chances(scores, temperature, k):  # the lowest
    kept = np.where(scores <= np.sort(scores)[k - 1], scores, -np.inf)
    return softmax(kept / temperature)
""",
        "chances = lambda scores, temperature, k: softmax(scores / temperature)",
        """
def chances(scores, temperature, k):  # the temperature is forgotten
    return softmax(np.where(scores >= np.sort(scores)[-k], scores, -np.inf))
""",
    ],
    "18.5": [
        # The scale is forgotten; the sum is over the wrong axis; no sum at all.
        """
def attention_gradients(g, q, k, v, p, y):
    d = p * (g @ v.T - (g * y).sum(1, keepdims=True))
    return d @ k, d.T @ q, p.T @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    s = 1 / np.sqrt(q.shape[-1])
    d = p * (g @ v.T - (g * y).sum(0, keepdims=True).mean()) * s
    return d @ k, d.T @ q, p.T @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    d = p * (g @ v.T) / np.sqrt(q.shape[-1])
    return d @ k, d.T @ q, p.T @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    s = 1 / np.sqrt(q.shape[-1])
    d = p * (g @ v.T - (g * y).sum(1, keepdims=True)) * s
    return d @ k, d @ q, p @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    s = 1 / np.sqrt(len(k))
    d = p * (g @ v.T - (g * y).sum(1, keepdims=True)) * s
    return d @ k, d.T @ q, p.T @ g
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "18.1": [
        """
def dropout(x, p, rng):
    return engine.where(rng.random(x.shape) < p, 0.0, x * (1 / (1 - p)))
""",
        """
def dropout(x, p, rng):
    factor = (rng.random(x.shape) >= p) / (1 - p)
    return engine.record(lambda a: a * factor, (x, lambda g: g * factor))
""",
    ],
    "18.2": [
        """
def last_seen(attention, x):  # one number of each row
    found = []
    for row in map(attention(x).__getitem__, range(x.shape[0])):
        (slopes,) = engine.grad(row[0], [x])
        seen = [i for i, slope in enumerate(slopes.data) if slope.any()]
        found.append(seen[-1])
    return found
""",
        """
def last_seen(attention, x):  # by pushing each row
    before, found = attention(x).data, [0] * x.shape[0]
    for j in range(x.shape[0]):
        pushed = x.data.copy()
        pushed[j] += 1.0
        moved = (attention(engine.Tensor(pushed)).data != before).any(axis=1)
        found = [j if m else i for i, m in zip(found, moved)]
    return found
""",
    ],
    "18.3": [
        """
def attend_in_heads(q, k, v, h):
    found, d = np.zeros(v.shape), q.shape[1] // h
    for i in range(0, q.shape[1], d):
        own = slice(i, i + d)
        found[:, own] = attend_causally(q[:, own], k[:, own], v[:, own])
    return found
""",
        """
def attend_in_heads(q, k, v, h):
    heads = [a.reshape(len(a), h, -1).swapaxes(0, 1) for a in (q, k, v)]
    found = np.stack([attend_causally(*head) for head in zip(*heads)])
    return found.swapaxes(0, 1).reshape(v.shape)
""",
    ],
    "18.4": [
        """
def chances(scores, temperature, k):
    order = np.argsort(scores)[::-1]
    p = np.exp(scores) ** (1 / temperature)
    p[order[k:]] = 0
    return p / p.sum()
""",
        """
def chances(scores, temperature, k):
    best = sorted(scores)[-k:]
    p = [math.exp(s / temperature) * (s in best) for s in scores]
    return [share / sum(p) for share in p]
""",
    ],
    "18.5": [
        """
def attention_gradients(g, q, k, v, p, y):
    dp = g @ v.T
    r = np.einsum("ij,ij->i", p, dp)
    ds = p * (dp - r[:, None]) / q.shape[1] ** 0.5
    return ds @ k, ds.T @ q, p.T @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    dq, dk = np.zeros_like(q), np.zeros_like(k)
    for i, row in enumerate(p):
        jacobian = np.diag(row) - np.outer(row, row)
        ds = jacobian @ (v @ g[i]) / np.sqrt(q.shape[-1])
        dq[i] = ds @ k
        dk += np.outer(ds, q[i])
    return [dq, dk, p.T @ g]
""",
    ],
}
