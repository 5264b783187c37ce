"""Answers that a reader may well give to the exercises of chapter 16."""

from __future__ import annotations

LOOP = """
def mended(model, data, held):
    for x, y, _ in dealt(data, epochs=3):
        for some in slice(10), slice(10, None):
            z = scores(model, x[some])
            loss = engine.cross_entropy(z, y[some]) * (len(z.data) / len(x))
            loss.backward()
        for p in model.values():
            with engine.no_grad():
                p -= 0.5 * p.grad
            p.grad = None
    return misread(model, held)
"""
SMOOTHED = """
def cross_entropy(scores, labels, smoothing=0.0):
    labels = np.asarray(engine.plain(labels))
    classes = np.arange(scores.shape[-1])
    is_right = labels[..., None] == classes
    if labels.shape != scores.shape[:-1] or not is_right.any(-1).all():
        raise ValueError("labels: one class for each row")
    t = (1 - smoothing) * is_right + smoothing / len(classes)
    return -engine.mean((engine.log_softmax(scores) * t).sum(-1))
"""


def instead(answer: str, old: str, new: str) -> str:
    """Return an answer with one part replaced, which is there."""
    assert answer.count(old) == 1, old
    return answer.replace(old, new)


WRONG: dict[str, list[str]] = {
    "16.1": [
        "mended = in_whole_batches",  # the check's own way
        # as it was
        """
def mended(model, data, held):
    for x, y, _ in dealt(data, epochs=3):
        for some in slice(10), slice(10, None):
            engine.cross_entropy(scores(model, x[some]), y[some]).backward()
        for p in model.values():
            with engine.no_grad():
                p -= 0.5 * p.grad
    return misread(model, data)
""",
        # more digits at a time than the machine has memory for
        """
def mended(model, data, held):
    learn(model, data, lambda done: 0.5, epochs=3)
    return misread(model, held)
""",
        instead(LOOP, " * (len(z.data) / len(x))", ""),  # a sum of two means
        instead(LOOP, "(len(z.data) / len(x))", "0.5"),  # parts of one weight
        instead(LOOP, "            p.grad = None\n", ""),  # gradients add up
        instead(LOOP, "misread(model, held)", "misread(model, data)"),
        instead(LOOP, "slice(10), slice(10, None)", "(slice(10),)"),  # half a batch
        instead(LOOP, "p -= 0.5", "p -= 0.25"),
        # a step after each part
        """
def mended(model, data, held):
    for x, y, _ in dealt(data, epochs=3):
        for some in slice(10), slice(10, None):
            engine.cross_entropy(scores(model, x[some]), y[some]).backward()
            for p in model.values():
                with engine.no_grad():
                    p -= 0.5 * p.grad
                p.grad = None
    return misread(model, held)
""",
    ],
    "16.2": [
        "cross_entropy = lambda scores, labels, smoothing=0.0: "
        "engine.cross_entropy(scores, labels)",
        instead(SMOOTHED, "+ smoothing / len(classes)", "+ 0.0"),
        # eps for the others only
        instead(
            SMOOTHED,
            "+ smoothing / len(classes)",
            "+ smoothing * (1 - is_right) / (len(classes) - 1)",
        ),
        instead(  # overflows
            SMOOTHED,
            "engine.log_softmax(scores)",
            "np.log(np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))",
        ),
        instead(SMOOTHED, "return -engine", "return engine"),  # the sign
        instead(SMOOTHED, ".sum(-1)", ""),  # a mean over the classes
        instead(SMOOTHED, "engine.mean(", "engine.sum_over("),  # no mean
        # a label that no class has
        """
def cross_entropy(scores, labels, smoothing=0.0):
    n = scores.shape[-1]
    t = (1 - smoothing) * np.eye(n)[labels] + smoothing / n
    return -engine.mean((engine.log_softmax(scores) * t).sum(-1))
""",
        # the value is right, the gradient lost
        instead(
            SMOOTHED,
            "engine.log_softmax(scores) *",
            "0.0 * scores + engine.log_softmax(engine.detach(scores)) *",
        ),
    ],
    "16.3": [
        """
def nesterov(memory, g):  # plain momentum
    memory["v"] = 0.9 * memory.get("v", 0) + g
    return memory["v"]
""",
        """
def nesterov(memory, g):  # the velocity of the step before
    v = memory.get("v", 0)
    memory["v"] = 0.9 * v + g
    return g + 0.9 * v
""",
        """
def nesterov(memory, g):  # nothing is remembered
    v = 0.9 * memory.get("v", 0) + g
    return g + 0.9 * v
""",
        """
def nesterov(memory, g):  # 0.9 twice
    memory["v"] = 0.9 * memory.get("v", 0) + g
    return 0.9 * (g + memory["v"])
""",
        """
def nesterov(memory, g):  # a mean, as Adam's
    memory["v"] = 0.9 * memory.get("v", 0) + 0.1 * g
    return g + 0.9 * memory["v"]
""",
    ],
    "16.4": [
        """
def flat(model, name="", met={}):  # the next call begins with what this one met
    if isinstance(model, dict | list):
        pairs = model.items() if isinstance(model, dict) else enumerate(model)
        for key, item in pairs:
            flat(item, f"{name}.{key}" if name else str(key), met)
    elif all(model is not p for p in met.values()):
        met[name] = model
    return met
""",
        """
def flat(model, name=""):  # what is shared comes twice
    if not isinstance(model, dict | list):
        return {name: model}
    found = {}
    pairs = model.items() if isinstance(model, dict) else enumerate(model)
    for key, item in pairs:
        found |= flat(item, f"{name}.{key}" if name else str(key))
    return found
""",
        """
def flat(model, name="", met=None):  # lists are passed over
    met = {} if met is None else met
    if isinstance(model, dict):
        for key, item in model.items():
            flat(item, f"{name}.{key}" if name else str(key), met)
    elif not isinstance(model, list):
        if all(model is not p for p in met.values()):
            met[name] = model
    return met
""",
        """
def flat(model, name="", met=None):  # begins with a dot
    met = {} if met is None else met
    if isinstance(model, dict | list):
        pairs = model.items() if isinstance(model, dict) else enumerate(model)
        for key, item in pairs:
            flat(item, f"{name}.{key}", met)
    elif all(model is not p for p in met.values()):
        met[name] = model
    return met
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "16.1": [
        LOOP,
        # the gradient is scaled once, and forgotten before
        """
def mended(model, data, held):
    for x, y, _ in dealt(data, 3):
        for p in model.values():
            p.grad = None
        total = 0.0
        for i in range(0, len(x), 10):
            z = scores(model, x[i:i + 10])
            loss = engine.cross_entropy(z, y[i:i + 10]) * float(len(z.data))
            loss.backward()
        with engine.no_grad():
            for p in model.values():
                p -= 0.5 / len(x) * p.grad
    return misread(model, held)
""",
    ],
    "16.2": [
        SMOOTHED,
        """
before = engine.cross_entropy


def cross_entropy(scores, labels, smoothing=0.0):
    even = -engine.mean(engine.log_softmax(scores))
    return (1 - smoothing) * before(scores, labels) + smoothing * even
""",
    ],
    "16.3": [
        """
def nesterov(memory, g):
    memory.setdefault("v", np.zeros_like(g))
    memory["v"] = memory["v"] * 0.9 + g
    return g + memory["v"] * 0.9
""",
        """
def nesterov(memory, g):  # by Python's own names
    v = g + 0.9 * memory.pop("v", 0.0)
    memory["v"] = v
    return g + 0.9 * v
""",
    ],
    "16.4": [
        """
def flat(model):
    found, met, stack = {}, set(), [("", model)]
    while stack:
        name, item = stack.pop()
        if isinstance(item, dict | list):
            pairs = item.items() if isinstance(item, dict) else enumerate(item)
            inside = [(f"{name}.{k}".lstrip("."), v) for k, v in pairs]
            stack += inside[::-1]
        elif id(item) not in met:
            met.add(id(item))
            found[name] = item
    return found
""",
    ],
}
