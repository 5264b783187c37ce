"""Answers that a reader may well give to the exercises of chapter 14."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "14.1": [
        """
def stale(events):  # written at any time
    written = {k for what, k in events if what == "write"}
    return [k in written for what, k in events if what == "save"]
""",
        """
def stale(events):  # written before
    written, found = set(), []
    for what, k in events:
        if what == "write":
            written.add(k)
        else:
            found.append(k in written)
    return found
""",
        """
def stale(events):  # at the same time counts as later
    now, written, saves = 0, {}, []
    for what, k in events:
        if what == "write":
            now += 1
            written[k] = now
        else:
            saves.append((k, now))
    return [written.get(k, 0) >= time for k, time in saves]
""",
        """
def stale(events):  # any array counts
    now, saves = 0, []
    for what, k in events:
        if what == "write":
            now += 1
        else:
            saves.append(now)
    return [time < now for time in saves]
""",
    ],
    "14.2": [
        """
def smoothed(x):  # half of the one before, not smoothed
    return np.stack([x[0]] + [x[k] + 0.5 * x[k - 1] for k in range(1, len(x))])
""",
        """
def smoothed(x):  # writes all the same
    s = x * 1.0
    for k in range(1, len(x)):
        s[k] += 0.5 * s[k - 1]
    return s
""",
        """
def smoothed(x):  # the graph is lost
    parts = [x.data[0]]
    for k in range(1, len(x)):
        parts.append(x.data[k] + 0.5 * parts[-1])
    return Tensor(np.array(parts))
""",
        """
def smoothed(x):  # gradients of the last step only
    parts = [x[0]]
    for k in range(1, len(x)):
        parts.append(x[k] + 0.5 * parts[-1].detach())
    return np.stack(parts)
""",
    ],
    "14.3": [
        """
def snapshot(x):  # the array is shared
    if isinstance(x, engine.Tensor):
        return engine.Result(x.data, x.node)
    return deepcopy(x)
""",
        """
def snapshot(x):  # the node is lost, and so is what it leads to
    if isinstance(x, engine.Tensor):
        return engine.Result(x.data.copy())
    return x
""",
        """
def snapshot(x):  # the caller's array stays the caller's
    if isinstance(x, engine.Tensor):
        return engine.Result(x.data.copy(), x.node)
    return x
""",
        """
def snapshot(x):  # only arrays
    return x.copy() if isinstance(x, np.ndarray) else x
""",
        "snapshot = lambda x: x",
    ],
    "14.4": [
        """
def average(loss_on, n):  # each sum leads to the one before
    total = 0.0
    for k in range(n):
        total = total + loss_on(k)
    return (total / n).item()
""",
        """
def average(loss_on, n):  # all graphs at once
    losses = [loss_on(k) for k in range(n)]
    return sum(loss.item() for loss in losses) / n
""",
        "average = lambda loss_on, n: sum(loss_on(k).item() for k in range(n))",
        "average = lambda loss_on, n: sum(loss_on(k).detach() for k in range(n)) / n",
        "average = lambda loss_on, n: loss_on(n - 1).item()",
    ],
}

RIGHT: dict[str, list[str]] = {
    "14.1": [
        """
def stale(events):  # version counters
    version, saves = {}, []
    for what, k in events:
        if what == "write":
            version[k] = version.get(k, 0) + 1
        else:
            saves.append((k, version.get(k, 0)))
    return [version.get(k, 0) != then for k, then in saves]
""",
        """
def stale(events):  # backwards
    later, found = set(), []
    for what, k in reversed(events):
        if what == "write":
            later.add(k)
        else:
            found.append(k in later)
    return found[::-1]
""",
    ],
    "14.2": [
        """
def smoothed(x):  # as a matrix
    n = len(x)
    i, j = np.indices((n, n))
    return np.where(i >= j, 0.5 ** np.maximum(i - j, 0), 0.0) @ x
""",
        """
def smoothed(x):
    last, parts = 0.0, []
    for k in range(len(x)):
        last = x[k] + last * 0.5
        parts.append(last.reshape(1))
    return np.concatenate(parts)
""",
    ],
    "14.3": [
        """
def snapshot(x):
    if not isinstance(x, engine.Tensor):
        return x.copy() if isinstance(x, np.ndarray) else x
    t = engine.Tensor(x.data)
    t.node = x.node
    return t
""",
    ],
    "14.4": [
        """
def average(loss_on, n):
    with engine.no_grad():
        return np.mean([loss_on(k).item() for k in range(n)]).item()
""",
        """
def average(loss_on, n):
    total = 0.0
    for k in range(n):
        total += loss_on(k).item()
    return total / n
""",
    ],
}
