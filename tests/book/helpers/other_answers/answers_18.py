"""Answers that a reader may well give to the exercises of chapter 18."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "18.1": [
        "mended = by_fit",  # the check's own way
        "mended = lambda *given: by_fit(*given)",
        """
def mended(model, optimiser, train, held):  # gradients still add up
    rng = np.random.default_rng(0)
    for _ in range(5):
        for x, y in batches(train, 8, rng=rng):
            cross_entropy(model(x), y).backward()
            optimiser.step()
    return 1 - wrong(model.eval(), held) / len(held[1])
""",
        """
def mended(model, optimiser, train, held):  # forgets before the step
    rng = np.random.default_rng(0)
    for _ in range(5):
        for x, y in batches(train, 8, rng=rng):
            cross_entropy(model(x), y).backward()
            optimiser.zero_grad()
            optimiser.step()
    return 1 - wrong(model.eval(), held) / len(held[1])
""",
        """
def mended(model, optimiser, train, held):  # dropout stays on
    fit(model, optimiser, train, plan=(5, 8))
    x, y = held
    model.train()
    with no_grad():
        return (model(x).data.argmax(axis=1) == y).mean()
""",
        """
def mended(model, optimiser, train, held):  # dropout is off from the start
    model.eval()
    rng = np.random.default_rng(0)
    for _ in range(5):
        for x, y in batches(train, 8, rng=rng):
            optimiser.zero_grad()
            cross_entropy(model(x), y).backward()
            optimiser.step()
    return 1 - wrong(model, held) / len(held[1])
""",
        """
def mended(model, optimiser, train, held):  # asked about what it learned from
    fit(model, optimiser, train, plan=(5, 8))
    return 1 - wrong(model.eval(), train) / len(train[1])
""",
        """
def mended(model, optimiser, train, held):  # the share of mistakes
    fit(model, optimiser, train, plan=(5, 8))
    return wrong(model.eval(), held) / len(held[1])
""",
    ],
    "18.2": [
        "smoothed = lambda z, label, eps: -z.log_softmax()[label]",
        """
def smoothed(z, label, eps):  # eps for the others only
    t = np.full(3, eps / 2)
    t[label] = 1 - eps
    return -(t * z.log_softmax()).sum()
""",
        """
def smoothed(z, label, eps):  # the two shares swapped
    t = eps * np.eye(3)[label] + (1 - eps) / 3
    return -(t * z.log_softmax()).sum()
""",
        """
def smoothed(z, label, eps):  # overflows
    t = (1 - eps) * np.eye(3)[label] + eps / 3
    return -(t * np.log(np.exp(z) / np.exp(z).sum())).sum()
""",
        """
def smoothed(z, label, eps):  # the sign
    t = (1 - eps) * np.eye(3)[label] + eps / 3
    return (t * z.log_softmax()).sum()
""",
        """
def smoothed(z, label, eps):  # a mean over the classes
    t = (1 - eps) * np.eye(3)[label] + eps / 3
    return -(t * z.log_softmax()).mean()
""",
        """
def smoothed(z, label, eps):  # the value is right, the gradient lost
    t = (1 - eps) * np.eye(3)[label] + eps / 3
    return -(t * z.detach().log_softmax()).sum() + 0 * z.sum()
""",
    ],
    "18.3": [
        """
def nesterov(p, g, s, rate):  # plain momentum
    s["v"] = 0.9 * s.get("v", 0) + g
    p -= rate * s["v"]
""",
        """
def nesterov(p, g, s, rate):  # not in place
    s["v"] = 0.9 * s.get("v", 0) + g
    p = p - rate * (g + 0.9 * s["v"])
""",
        """
def nesterov(p, g, s, rate):  # the velocity of the step before
    p -= rate * (g + 0.9 * s.get("v", 0))
    s["v"] = 0.9 * s.get("v", 0) + g
""",
        """
def nesterov(p, g, s, rate):  # nothing is remembered
    v = 0.9 * s.get("v", 0) + g
    p -= rate * (g + 0.9 * v)
""",
        """
def nesterov(p, g, s, rate):  # 0.9 twice
    s["v"] = 0.9 * s.get("v", 0) + g
    p -= rate * 0.9 * (g + s["v"])
""",
        """
def nesterov(p, g, s, rate):  # a mean, as Adam's
    s["v"] = 0.9 * s.get("v", 0) + 0.1 * g
    p -= rate * (g + 0.9 * s["v"])
""",
    ],
    "18.4": [
        """
def named(value, name="", met={}):  # the next call begins with what this one met
    if isinstance(value, Tensor):
        if all(value is not p for p in met.values()):
            met[name] = value
    elif isinstance(value, Module):
        named(vars(value), name, met)
    elif isinstance(value, list | tuple | dict):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            named(item, f"{name}.{key}" if name else str(key), met)
    return met
""",
        """
def named(value, name=""):  # what is shared comes twice
    if isinstance(value, Tensor):
        return {name: value}
    found = {}
    if isinstance(value, Module):
        value = vars(value)
    elif isinstance(value, list | tuple):
        value = dict(enumerate(value))
    for key, item in value.items() if isinstance(value, dict) else ():
        found |= named(item, f"{name}.{key}" if name else str(key))
    return found
""",
        """
def named(value, name="", met=None):  # dictionaries are passed over
    met = {} if met is None else met
    if isinstance(value, Tensor):
        if all(value is not p for p in met.values()):
            met[name] = value
    elif isinstance(value, Module):
        for key, item in vars(value).items():
            named(item, f"{name}.{key}" if name else key, met)
    elif isinstance(value, list | tuple):
        for i, item in enumerate(value):
            named(item, f"{name}.{i}", met)
    return met
""",
        """
def named(value, name="", met=None):  # begins with a dot
    met = {} if met is None else met
    if isinstance(value, Tensor):
        if all(value is not p for p in met.values()):
            met[name] = value
    elif isinstance(value, Module):
        named(vars(value), name, met)
    elif isinstance(value, list | tuple | dict):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            named(item, f"{name}.{key}", met)
    return met
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "18.1": [
        """
def mended(model, optimiser, train, held):  # by the library's loop
    fit(model, optimiser, train, plan=(5, 8))
    return 1 - wrong(model.eval(), held) / len(held[1])
""",
        """
def mended(model, optimiser, train, held):  # forgets after the step
    rng = np.random.default_rng(0)
    for _ in range(5):
        for x, y in batches(train, 8, rng=rng):
            cross_entropy(model(x), y).backward()
            optimiser.step()
            for p in model.parameters():
                p.grad = None
    model.eval()
    said = model(held[0]).data.argmax(axis=1)
    return np.mean(said == held[1])
""",
    ],
    "18.2": [
        """
def smoothed(z, label, eps):
    log_p = z.log_softmax()
    return (eps - 1) * log_p[label] - eps * log_p.mean()
""",
        """
def smoothed(z, label, eps):
    z = z - z.data.max()
    log_p = z - np.log(np.exp(z).sum())
    t = np.full(len(z), eps / len(z))
    t[label] += 1 - eps
    return -(t @ log_p)
""",
    ],
    "18.3": [
        """
def nesterov(p, g, s, rate):
    s.setdefault("v", np.zeros_like(p))
    s["v"] *= 0.9
    s["v"] += g
    p[...] = p - rate * g - 0.9 * rate * s["v"]
""",
        """
def nesterov(p, g, s, rate):  # the velocity holds the rate
    s["v"] = 0.9 * s.get("v", 0) - rate * g
    p += 0.9 * s["v"] - rate * g
""",
    ],
    "18.4": [
        """
def named(value):
    found, met, stack = {}, set(), [("", value)]
    while stack:
        name, item = stack.pop()
        if isinstance(item, Tensor):
            if id(item) not in met:
                met.add(id(item))
                found[name] = item
            continue
        if isinstance(item, Module):
            item = vars(item)
        elif isinstance(item, list | tuple):
            item = dict(enumerate(item))
        inside = item.items() if isinstance(item, dict) else ()
        stack += [(f"{name}.{k}".lstrip("."), v) for k, v in inside][::-1]
    return found
""",
    ],
}
