"""Answers that a reader may well give to the exercises of chapter 09."""

from __future__ import annotations


def exp(needs: str, arrows: str, data: str = "y") -> str:
    """Return an answer to exercise 9.1, which calculates y = np.exp(t.data) first."""
    return f"""
def exp(t):
    y = np.exp(t.data)
    return Tensor({data}, {needs}, {arrows})
"""


def stack(needs: str, rule: str) -> str:
    """Return an answer to exercise 9.2."""
    return f"""
def stack(tensors):
    data = np.array([t.data for t in tensors])
    arrows = [Dependency(t, {rule}) for i, t in enumerate(tensors)]
    return Tensor(data, {needs}, arrows)
"""


def push(*lines: str) -> str:
    """Return an answer to exercise 9.3, by its lines for each parameter."""
    body = "\n        ".join(lines)
    return f"""
def push(module, velocities, rate, keep):
    for p in module.parameters():
        {body}
"""


KEPT = "[Dependency(t, lambda grad: grad * y)]"
ANY = "any(t.requires_grad for t in tensors)"
ROW = "lambda grad, i=i: grad[i]"
NEW = "velocities[p] = keep * velocities.get(p, 0.0) + p.grad.data"

WRONG: dict[str, list[str]] = {
    "9.1": [
        exp(
            "t.requires_grad", "[Dependency(t, lambda grad: grad * np.exp(t.data))]"
        ),  # looked up late
        exp("True", KEPT),  # whatever t is
        exp("False", KEPT),
        exp("t.requires_grad", "[]"),
        exp("t.requires_grad", "[Dependency(t, lambda grad: y)]"),
        exp("t.requires_grad", "[Dependency(t, lambda grad: grad)]"),
        exp("t.requires_grad", "[Dependency(t, lambda grad: grad * t.data)]"),
        "exp = lambda t: Tensor(np.exp(t.data))",
        "exp = lambda t: np.exp(t.data)",
        """
def exp(t):
    t.data = np.exp(t.data)
    return t
""",
    ],
    "9.2": [
        stack(ANY, "lambda grad: grad[i]"),  # the last one's, for all
        stack(ANY, "lambda grad: grad"),
        stack("True", ROW),
        stack("False", ROW),
        stack("tensors[0].requires_grad", ROW),
        stack("all(t.requires_grad for t in tensors)", ROW),
        stack(ANY, "lambda grad, i=i: grad[:, i]"),
        stack(ANY, "lambda grad, i=i: grad.sum(axis=0)"),
        "stack = lambda tensors: Tensor(np.array([t.data for t in tensors]), True)",
        "stack = lambda tensors: np.stack([t.data for t in tensors])",
    ],
    "9.3": [
        push("p -= rate * p.grad"),  # no velocity
        push(
            "velocities[p] = keep * velocities.get(p, 0.0) + (1 - keep) * p.grad.data",
            "p -= rate * velocities[p]",
        ),
        push("velocities[p] = p.grad.data", "p -= rate * velocities[p]"),
        push("v = keep * velocities.get(p, 0.0) + p.grad.data", "p -= rate * v"),
        push(NEW, "p -= velocities[p]"),
        push(NEW, "p += rate * velocities[p]"),
        push(NEW, "p = p - rate * velocities[p]"),
        push(
            "v = keep * velocities.get(0, 0.0) + p.grad.data",  # one for all
            "velocities[0] = v.sum()",
            "p -= rate * v",
        ),
        push(
            "p -= rate * p.grad",
            "velocities[p] = keep * velocities.get(p, 0.0) + p.grad.data",
        ),
    ],
}

RIGHT: dict[str, list[str]] = {
    "9.1": [
        """
def exp(t):
    x = t.data
    to_t = Dependency(t, lambda grad: grad * np.exp(x))
    return Tensor(np.exp(x), t.requires_grad, [to_t])
""",
        """
def exp(t):
    y = np.exp(t.data)
    if not t.requires_grad:
        return Tensor(y)
    return Tensor(y, True, [Dependency(t, lambda grad, slope=y: slope * grad)])
""",
        """
def exp(t):
    arrow = Dependency(t, lambda grad: grad * np.exp(x))
    x = t.data
    return Tensor(np.exp(x), t.requires_grad, [arrow])
""",
    ],
    "9.2": [
        """
def stack(tensors):
    def taking(i):
        return lambda grad: grad[i]

    data = np.stack([t.data for t in tensors])
    arrows = [Dependency(t, taking(i)) for i, t in enumerate(tensors)]
    return Tensor(data, any([t.requires_grad for t in tensors]), arrows)
""",
        """
def stack(tensors):
    n = len(tensors)
    column = np.eye(n)[:, :, None]
    parts = [Tensor(column[i]) * t for i, t in enumerate(tensors)]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
""",
    ],
    "9.3": [
        push(
            "new = p.grad.data + keep * velocities.get(id(p), 0.0)",
            "velocities[id(p)] = new",
            "p.data = p.data - rate * new",
        ),
        """
def push(module, velocities, rate, keep):
    for number, p in enumerate(module.parameters()):
        velocities.setdefault(number, np.zeros(p.shape))
        velocities[number] = velocities[number] * keep + p.grad.data
        p -= Tensor(rate * velocities[number])
""",
        """
def push(module, velocities, rate, keep):
    for p in module.parameters():
        velocities[p] = p.grad + velocities.get(p, Tensor(0.0)) * keep
        p -= velocities[p] * rate
""",
    ],
}
