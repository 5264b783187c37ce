"""Answers that a reader may well give to the exercises of chapter 14."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "14.1": [
        """
def moves(f, x, v, h=1e-6):  # a central difference
    up, down = f(Tensor(x + h * v)).numpy(), f(Tensor(x - h * v)).numpy()
    return (up - down) / (2 * h)
""",
        """
def moves(f, x, v, h=1e-20):  # the direction is left out
    return f(Tensor(x + 1j * h)).numpy().imag / h
""",
        """
def moves(f, x, v, h=1e-20):  # not divided
    return f(Tensor(x + 1j * h * v)).numpy().imag
""",
        """
def moves(f, x, v, h=1e-20):  # the result instead of its imaginary part
    return f(Tensor(x + 1j * h * v)).numpy().real
""",
        """
def moves(f, x, v, h=1e-20):  # one call for each element
    total = 0
    for k in range(x.size):
        z = x.astype(complex)
        z[k] += 1j * h * v[k]
        total = total + f(Tensor(z)).numpy().imag / h
    return total
""",
        """
def moves(f, x, v):  # the engine's own rules
    leaf = Tensor(x, requires_grad=True)
    y = f(leaf)
    u = Tensor(np.zeros(y.shape), requires_grad=True)
    (back,) = grad(y, leaf, u, create_graph=True)
    return grad((back * v).sum(), u)[0].numpy()
""",
    ],
    "14.2": [
        "transposed = lambda f, n, u: f(u)",
        "transposed = lambda f, n, u: np.array([f(e) for e in np.eye(n)]) * u.sum()",
        "transposed = lambda f, n, u: np.array([f(e).sum() for e in np.eye(n)])",
        "transposed = lambda f, n, u: f(np.ones(n)) @ u * np.ones(n)",
    ],
    "14.3": [
        "logcosh = lambda t: Tensor(np.log(np.cosh(t.data)))",
        # Right numbers, by the engine's own rules.
        "logcosh = lambda t: np.logaddexp(t, -t) - np.log(2)",
        "logcosh = lambda t: np.log(np.cosh(t))",
        """
from autograd_lib.engine.tape.record import unary

def logcosh(t):  # g forgotten
    return unary(lambda a: np.logaddexp(a, -a) - np.log(2), t,
                 lambda g, x: np.tanh(x), t)
""",
        """
from autograd_lib.engine.tape.record import unary

def logcosh(t):  # saves the array, so the second derivative is lost
    return unary(lambda a: np.logaddexp(a, -a) - np.log(2), t,
                 lambda g, x: g * np.tanh(x), t.data)
""",
        """
from autograd_lib.engine.tape.record import unary

def logcosh(t):  # the logarithm of 2 forgotten
    return unary(lambda a: np.logaddexp(a, -a), t,
                 lambda g, x: g * np.tanh(x), t)
""",
        """
from autograd_lib.engine.tape.record import unary

def logcosh(t):  # the slope of another function
    return unary(lambda a: np.logaddexp(a, -a) - np.log(2), t,
                 lambda g, x: g / np.cosh(x), t)
""",
    ],
    "14.4": [
        "kinks = lambda f, x: x != x",
        "kinks = lambda f, x: abs((f(x + 1e-6) - f(x - 1e-6)) / 2e-6) > 0.01",
        """
def kinks(f, x, h=1e-2):  # the step is so long that bends count
    left, right = (f(x) - f(x - h)) / h, (f(x + h) - f(x)) / h
    return np.abs(right - left) > 0.01
""",
        """
def kinks(f, x, h=1e-6):  # only large ones
    left, right = (f(x) - f(x - h)) / h, (f(x + h) - f(x)) / h
    return np.abs(right - left) > 1
""",
        """
def kinks(f, x, h=1e-6):  # only those that bend upward
    left, right = (f(x) - f(x - h)) / h, (f(x + h) - f(x)) / h
    return right - left > 0.01
""",
        """
def kinks(f, x, h=1e-15):  # the step drowns in rounding
    left, right = (f(x) - f(x - h)) / h, (f(x + h) - f(x)) / h
    return np.abs(right - left) > 0.01
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "14.1": [
        """
def moves(f, x, v):
    y = f(Tensor(np.asarray(x) + 1e-30j * np.asarray(v)))
    return np.imag(y.data) * 1e30
""",
    ],
    "14.2": [
        """
def transposed(f, n, u):
    J = np.stack([f(np.eye(n)[k]) for k in range(n)], axis=1)
    return J.T @ u
""",
        """
def transposed(f, n, u):
    found = []
    for k in range(n):
        v = np.zeros(n)
        v[k] = 1.0
        found.append(float(np.dot(f(v), u)))
    return found
""",
    ],
    "14.3": [
        """
from autograd_lib.engine.tape.record import unary

def logcosh(t):
    return unary(lambda a: np.log(np.cosh(a)), t, lambda g, x: np.tanh(x) * g, t)
""",
    ],
    "14.4": [
        """
def kinks(f, x, h=1e-7):
    return abs(f(x + h) - 2 * f(x) + f(x - h)) / h > 0.01
""",
        """
def kinks(f, x, h=1e-6):
    return [abs(f(a + h) - 2 * f(a) + f(a - h)) / h > 0.01 for a in x]
""",
    ],
}
