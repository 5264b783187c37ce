"""Answers that a reader may well give to the exercises of chapter 09."""

from __future__ import annotations

LOGISTIC = """
def logistic(x):
    return engine.record(lambda a: 1 / (1 + np.exp(-a)), (x, rule, {saved}))

def rule(g, s):
    {rule}
"""
ORDERS = """
def orders(f, z):
    def slope(z):
        x = Tensor(z, requires_grad=True)
        return grad({after}, x)[0].item()

    def value(z):
        x = Tensor(z)
        return ({after}).item()

    x = Tensor(z, requires_grad=True)
    (first,) = grad({after}, x, create_graph={graph})
    right = abs(first.item() - central_difference(value, z)) < 1e-5
    {second}
    again = abs(second.item() - central_difference(slope, z)) < 1e-5
    return {answer}
"""
SECOND = "(second,) = grad(first, x)"
IN_TURN = "2 if right and again else 1 if right else 0"


def logistic(rule: str, saved: str) -> str:
    """Return a logistic function with the body of a rule, and what the rule needs."""
    return LOGISTIC.format(rule=rule, saved=saved)


def orders(
    after: str, answer: str = IN_TURN, graph: str = "True", second: str = SECOND
) -> str:
    """Return a search for faults: what comes after f, and what is answered."""
    return ORDERS.format(after=after, answer=answer, graph=graph, second=second)


WRONG: dict[str, list[str]] = {
    "9.1": [
        logistic("s = logistic(s); return s - s * s", "x"),  # no g
        logistic("s = logistic(s); return g * s", "x"),
        logistic("return g * s", "(s := 1 / (1 + np.exp(-x.data))) - s * s"),
        # right derivatives, from two arrays
        """
def logistic(x):
    return engine.record(lambda a: 1 / (1 + np.exp(-a)), (x, rule, x, x * 1.0))

def rule(g, x, other):
    s = logistic(x)
    return g * (s - s * s)
""",
    ],
    "9.2": [
        """
def gradients(tape, g):  # adds into an array that another number holds
    grads = [None] * (len(tape) - 1) + [g]
    for k in reversed(range(len(tape))):
        for i, rule, *saved in tape[k] if grads[k] is not None else ():
            if grads[i] is None:
                grads[i] = rule(grads[k], *saved)
            else:
                grads[i] += rule(grads[k], *saved)
    return [0 if g is None else g for g in grads]
""",
        """
def gradients(tape, g):  # set, and not added
    grads = [0] * len(tape)
    grads[-1] = g
    for k in reversed(range(len(tape))):
        for i, rule, *saved in tape[k]:
            grads[i] = rule(grads[k], *saved)
    return grads
""",
        """
def gradients(tape, g):  # from the first to the last
    grads = [0] * len(tape)
    grads[-1] = g
    for k in range(len(tape)):
        for i, rule, *saved in tape[k]:
            grads[i] = grads[i] + rule(grads[k], *saved)
    return grads
""",
        """
def gradients(tape, g):  # the gradient of the last one for all
    grads = [0] * len(tape)
    grads[-1] = g
    for k in reversed(range(len(tape))):
        for i, rule, *saved in tape[k]:
            grads[i] = grads[i] + rule(g, *saved)
    return grads
""",
    ],
    "9.3": [
        orders("f(x)"),  # where a forgotten g is not noticed
        orders("f(x) * f(x)", "2 if again else 0"),
        orders("f(x) * f(x)", "2 if right else 0"),
        orders("f(x) * f(x)", "int(right) + int(again) or 1"),
        orders(
            "f(x) * f(x)", graph="False", second="second = Tensor(0.0)"
        ),  # nothing recorded
        orders("f(x) * 5.0"),  # refused: a saved slope leaves nothing recorded
        "orders = lambda f, z: 2 if f(Tensor(z)).item() == z**3 else 0",
    ],
}

RIGHT: dict[str, list[str]] = {
    "9.1": [
        logistic("s = logistic(s); return g * s * (1.0 - s)", "x"),
        logistic("s = logistic(s); return g * s - g * s * s", "x"),
        "logistic = lambda x: 0.5 + 0.5 * engine.tanh(0.5 * x)",
    ],
    "9.2": [
        """
def gradients(tape, g):
    grads = {len(tape) - 1: g}
    for k in range(len(tape) - 1, -1, -1):
        for i, rule, *saved in tape[k]:
            if k in grads:
                grads[i] = grads.get(i, 0) + rule(grads[k], *saved)
    return [grads.get(k, 0) for k in range(len(tape))]
""",
        # From zeros on, `+=` makes a new array first, and is no mistake.
        """
def gradients(tape, g):
    grads = [0] * (len(tape) - 1) + [g]
    for k in reversed(range(len(tape))):
        for i, rule, *saved in tape[k]:
            grads[i] += rule(grads[k], *saved)
    return grads
""",
        """
def gradients(tape, g):
    grads = [np.zeros_like(g) for _ in tape]
    grads[-1] += g
    for k in reversed(range(len(tape))):
        for i, rule, *saved in tape[k]:
            grads[i] += rule(grads[k], *saved)
    return grads
""",
    ],
    "9.3": [
        orders("f(x) * f(x) * f(x)"),
        orders("f(x) * f(x)", "int(right) + int(right and again)"),
    ],
}
