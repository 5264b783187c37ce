"""Answers that a reader may well give to the exercises of the last page."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "28.1": [
        # The last use counts, not the sum of all.
        """
def gradients(tape):
    grads = [0.0] * len(tape)
    grads[-1] = 1.0
    for k in reversed(range(len(tape))):
        for i, slope in tape[k]:
            grads[i] = slope * grads[k]
    return grads
""",
        # From the first to the last.
        """
def gradients(tape):
    grads = [0.0] * len(tape)
    grads[-1] = 1.0
    for k in range(len(tape)):
        for i, slope in tape[k]:
            grads[i] += slope * grads[k]
    return grads
""",
        # Each path from the last number, passed on before its gradient is complete.
        """
def gradients(tape):
    grads = [0.0] * len(tape)
    grads[-1] = 1.0
    waiting = [len(tape) - 1]
    while waiting:
        k = waiting.pop()
        for i, slope in tape[k]:
            grads[i] += slope * grads[k]
            waiting.append(i)
    return grads
""",
        # The inputs alone.
        """
def gradients(tape):
    grads = [0.0] * len(tape)
    grads[-1] = 1.0
    for k in reversed(range(len(tape))):
        for i, slope in tape[k]:
            grads[i] += slope * grads[k]
    return [g for g, made_from in zip(grads, tape) if not made_from]
""",
        # The slopes of a number, whatever its own gradient is.
        """
def gradients(tape):
    grads = [0.0] * len(tape)
    grads[-1] = 1.0
    for made_from in tape:
        for i, slope in made_from:
            grads[i] += slope
    return grads
""",
        # Two factors that are the same number count once.
        """
def gradients(tape):
    grads = [0.0] * len(tape)
    grads[-1] = 1.0
    for k in reversed(range(len(tape))):
        for i, slope in dict(tape[k]).items():
            grads[i] += slope * grads[k]
    return grads
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "28.1": [
        # A sum over all paths, each written out.
        """
def gradients(tape):
    def along_paths(k, j):
        if k == j:
            return 1.0
        return sum(slope * along_paths(i, j) for i, slope in tape[k])

    return [along_paths(len(tape) - 1, j) for j in range(len(tape))]
""",
        # A linear system.
        """
import numpy as np

def gradients(tape):
    n = len(tape)
    slopes = np.zeros((n, n))
    for k, made_from in enumerate(tape):
        for i, slope in made_from:
            slopes[k, i] += slope
    return np.linalg.solve(np.eye(n) - slopes.T, np.eye(n)[-1])
""",
        # As a tuple, from a dictionary.
        """
def gradients(tape):
    grads = {len(tape) - 1: 1.0}
    for k in range(len(tape) - 1, -1, -1):
        for i, slope in tape[k]:
            grads[i] = grads.get(i, 0.0) + slope * grads.get(k, 0.0)
    return tuple(grads.get(k, 0) for k in range(len(tape)))
""",
    ],
}
