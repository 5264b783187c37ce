"""Answers that a reader may well give to the exercises of chapter 19."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "19.1": [
        """
def reciprocal(x):  # the sign
    if not isinstance(x, Tagged):
        return 1 / x
    y = reciprocal(x.primal)
    return Tagged(x.level, y, y * y * x.tangent)
""",
        """
def reciprocal(x):  # of a plain primal only
    if not isinstance(x, Tagged):
        return 1 / x
    return Tagged(x.level, 1 / x.primal, -x.tangent / x.primal**2)
""",
        """
def reciprocal(x):  # the square is missing
    if not isinstance(x, Tagged):
        return 1 / x
    y = reciprocal(x.primal)
    return Tagged(x.level, y, y * x.tangent * -1.0)
""",
        """
def reciprocal(x):  # the reciprocal of the tangent
    if not isinstance(x, Tagged):
        return 1 / x
    return Tagged(x.level, reciprocal(x.primal), reciprocal(x.tangent))
""",
        """
def reciprocal(x):  # the tangent is lost
    if not isinstance(x, Tagged):
        return 1 / x
    return reciprocal(x.primal)
""",
        """
def reciprocal(x):  # as if x moved at 1
    if not isinstance(x, Tagged):
        return 1 / x
    y = reciprocal(x.primal)
    return Tagged(x.level, y, y * y * -1.0)
""",
    ],
    "19.2": [
        "curvature = lambda f, x, v: jvp(f, x, v)[1]",
        "curvature = lambda f, x, v: jvp(f, x, v)[1] ** 2",
        """
def curvature(f, x, v):  # the primal, which is the slope
    return jvp(lambda x: jvp(f, x, v)[1], x, v)[0]
""",
        """
def curvature(f, x, v):  # how the value moves, twice the same question
    return jvp(lambda x: jvp(f, x, v)[0], x, v)[1]
""",
        """
def curvature(f, x, v):  # of a way of length 1
    return jvp(lambda x: jvp(f, x, v)[1], x, v)[1] / (v @ v)
""",
        """
def curvature(f, x, v):  # along all ones in the end
    return jvp(lambda x: jvp(f, x, v)[1], x, np.ones(len(x)))[1]
""",
    ],
    "19.3": [
        "of_running_max = lambda tangent, at: tangent",  # elementwise
        "of_running_max = lambda tangent, at: np.maximum.accumulate(tangent)",
        "of_running_max = lambda tangent, at: np.cumsum(tangent)",
        """
def of_running_max(tangent, at):  # what the backward rule does
    found = np.zeros(len(tangent))
    np.add.at(found, at, tangent)
    return found
""",
        """
def of_running_max(tangent, at):  # only where the largest is new
    return np.where(at == np.arange(len(at)), tangent, 0)
""",
        "of_running_max = lambda tangent, at: at",
    ],
}

RIGHT: dict[str, list[str]] = {
    "19.1": [
        """
def reciprocal(x):  # with a minus in front
    if not isinstance(x, Tagged):
        return 1 / x
    y = reciprocal(x.primal)
    return Tagged(x.level, y, -(y * y) * x.tangent)
""",
        """
def reciprocal(x):  # with a difference
    if not isinstance(x, Tagged):
        return 1 / x
    y = reciprocal(x.primal)
    return Tagged(x.level, y, 0.0 - y * y * x.tangent)
""",
        """
def reciprocal(x):
    if isinstance(x, Tagged):
        y = reciprocal(x.primal)
        return Tagged(x.level, y, x.tangent * (-1.0 * y) * y)
    return x**-1
""",
        """
def reciprocal(x):  # the square first
    if not isinstance(x, Tagged):
        return 1.0 / x
    slope = reciprocal(x.primal * x.primal) * -1.0
    return Tagged(x.level, reciprocal(x.primal), slope * x.tangent)
""",
    ],
    "19.2": [
        """
def curvature(f, x, v):  # on the line x + t v
    slope = lambda t: jvp(lambda s: f(x + s * v), t, 1.0)[1]
    return jvp(slope, 0.0, 1.0)[1]
""",
        """
def curvature(f, x, v):
    _, (_, bend) = jvp(lambda x: jvp(f, x, v), x, v)
    return bend
""",
    ],
    "19.3": [
        "of_running_max = lambda tangent, at: np.take(tangent, at)",
        "of_running_max = lambda tangent, at: np.array([tangent[i] for i in at])",
        "of_running_max = lambda tangent, at: np.eye(len(tangent))[at] @ tangent",
    ],
}
