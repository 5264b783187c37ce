"""NumPy's functions for one number, as source for Numba (chapter 23).

Arguments are first cast to the types of NumPy's own loop. `exp` and `tanh` are written
here without branches, so that a compiler can vectorise them. Range reduction and
polynomial of `exp` are those of W. J. Cody and W. Waite, "Software Manual for the
Elementary Functions" (1980); the coefficients of `tanh` near 0 are those of
S. L. Moshier's Cephes library.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lib.engine.ops.choices import kept
from autograd_lib.program.core.ir import Call, Value

NAMES = ("bool", "int32", "int64", "float32", "float64")
"""The types of numbers that loops are written for."""
TYPES = {np.dtype(name): name for name in NAMES}


@dataclass(frozen=True)
class Scalar:
    """A function of numbers.

    Attributes:
        text: an expression; `{0}` and `{1}` stand for arguments, `{t}` for their type.
        kinds: the kinds of dtypes that it is valid for.
        slow: whether NumPy's is vectorised and this isn't.
        exact: whether it gives the same bits as NumPy's.
    """

    text: str
    kinds: str = "fi"
    slow: bool = False
    exact: bool = True


def libm(name: str) -> Scalar:
    """Return a function of the C library."""
    return Scalar(f"np.{name}({{0}})", "f", slow=True, exact=False)


SCALARS: dict[Any, Scalar] = {
    np.add: Scalar("{0} + {1}"),
    np.subtract: Scalar("{0} - {1}"),
    np.multiply: Scalar("{0} * {1}"),
    np.divide: Scalar("{0} / {1}", "f"),
    np.negative: Scalar("-{0}"),
    np.absolute: Scalar("abs({0})"),
    np.square: Scalar("{0} * {0}"),
    np.reciprocal: Scalar("{t}(1) / {0}", "f"),
    np.sqrt: Scalar("np.sqrt({0})", "f"),
    np.maximum: Scalar("{0} if {0} > {1} or {0} != {0} else {1}"),
    np.minimum: Scalar("{0} if {0} < {1} or {0} != {0} else {1}"),
    np.greater: Scalar("{0} > {1}"),
    np.greater_equal: Scalar("{0} >= {1}"),
    np.less: Scalar("{0} < {1}"),
    np.less_equal: Scalar("{0} <= {1}"),
    np.equal: Scalar("{0} == {1}", "fib"),
    np.not_equal: Scalar("{0} != {1}", "fib"),
    np.logical_not: Scalar("{0} == 0", "fib"),
    np.logical_and: Scalar("({0} != 0) & ({1} != 0)", "fib"),
    np.logical_or: Scalar("({0} != 0) | ({1} != 0)", "fib"),
    np.isnan: Scalar("{0} != {0}", "f"),
    np.isfinite: Scalar("abs({0}) < {t}(np.inf)", "f"),
    np.exp: Scalar("exp_{t}({0})", "f", exact=False),
    np.tanh: Scalar("tanh_{t}({0})", "f", exact=False),
    np.power: Scalar("{0} ** {1}", "f", slow=True, exact=False),
    **{
        f: libm(f.__name__)
        for f in (np.log, np.log1p, np.expm1, np.sin, np.cos, np.arctan)
    },
}


@dataclass(frozen=True)
class Element:
    """A call for one element of its result.

    Attributes:
        scalar: the function.
        args: its arguments, values and Python numbers.
        types: the types that they are cast to first.
        result: the type of the result.
    """

    scalar: Scalar
    args: tuple[Any, ...]
    types: tuple[np.dtype[Any], ...]
    result: np.dtype[Any]

    def text(self, args: Sequence[str]) -> str:
        """Return the expression for given arguments."""
        made = self.scalar.text.format(*args, t=TYPES[self.types[-1]])
        return cast(made, self.result)


def element_of(call: Call) -> Element | None:
    """Return a call for one element, None if its function isn't here."""
    if call.into is not None or len(call.outs) != 1 or reports(call):
        return None
    options = {k: v for k, v in call.options.items() if (k, v) != ("order", "C")}
    args, result = call.args, call.out.dtype
    if options or not all(type(x) in (Value, bool, int, float) for x in args):
        return None
    if result not in TYPES or any(v.dtype not in TYPES for v in call.operands()):
        return None
    if call.function is kept and args[1].dtype == bool:
        args = args[1], args[0], 0.0
    if call.function in (np.where, kept) and len(args) == 3:
        types = np.dtype(bool), result, result
        return Element(Scalar("{1} if {0} else {2}"), args, types, result)
    scalar = SCALARS.get(call.function)
    if scalar is None:
        return None
    given = tuple(x.dtype if type(x) is Value else type(x) for x in args)
    given = tuple(np.dtype(bool) if x is bool else x for x in given)
    try:
        ufunc: Any = call.function
        *types, made = ufunc.resolve_dtypes((*given, None))
    except TypeError:  # there is no loop for these types
        return None
    known = made == result and all(t in TYPES for t in types)
    fits = known and all(t.kind in scalar.kinds for t in types)
    return Element(scalar, args, tuple(types), result) if fits else None


def reports(call: Call) -> bool:
    """Return whether floating-point errors have to be raised, which loops don't do."""
    return any(how in ("raise", "call") for _, how in call.origin.errors)


def cast_of(call: Call) -> Element | None:
    """Return the function of `astype`, None where C leaves the cast undefined."""
    if call.function is not np.ndarray.astype or len(call.args) != 2 or call.options:
        return None
    x, result = call.args[0], call.out.dtype
    if type(x) is not Value or {x.dtype, result} - set(TYPES) or call.into is not None:
        return None
    if x.dtype.kind == "f" and result.kind == "i":
        return None
    return Element(Scalar("{0}"), (x,), (x.dtype,), result)


def cast(text: str, dtype: np.dtype[Any]) -> str:
    """Return an expression with its value cast to a type."""
    return f"({text}) != 0" if dtype.kind == "b" else f"{TYPES[dtype]}({text})"


def literal(x: Any, dtype: np.dtype[Any]) -> str:
    """Return a number of a type as text."""
    number = repr(np.asarray(x).astype(dtype).item())
    text = number.replace("inf", "np.inf").replace("nan", "np.nan")
    return f"np.{dtype.name}({text})"


@dataclass(frozen=True)
class Format:
    """Constants of a float type for `exp` and `tanh`.

    Attributes:
        low, high: `exp` is 0 below, and infinite above.
        one: `tanh` is 1 from here on.
        degree: degree of the polynomial.
        bits: bits of the mantissa, and
        bias: bias of the exponent.
        whole: the integer type of the same width.
        log2: log 2 in two parts, the first with few digits.
    """

    low: int
    high: int
    one: int
    degree: int
    bits: int
    bias: int
    whole: str
    log2: tuple[str, str]


FORMATS = {
    "float32": Format(
        *(-104, 89, 10, 7, 23, 127, "int32"), ("0.693359375", "-2.12194440e-4")
    ),
    "float64": Format(
        *(-746, 710, 20, 13, 52, 1023, "int64"),
        ("6.93145751953125e-1", "1.42860682030941723212e-6"),
    ),
}


def reduced(name: str) -> str:
    """Return lines that write y as n·log 2 + r; `minus` is the polynomial of eʳ − 1.

    Adding and subtracting a large number rounds, and leaves n in the last bits. The
    polynomial is evaluated in pairs (G. Estrin, 1960), for instruction parallelism.
    """
    f = FORMATS[name]
    terms = [f"{name}({1 / math.factorial(k)!r})" for k in range(1, f.degree + 1)]
    lines = [
        f"shift = {name}({1.5 * 2**f.bits!r})",
        f"n = (y * {name}(1.4426950408889634) + shift) - shift",
        f"r = (y - n * {name}({f.log2[0]})) - n * {name}({f.log2[1]})",
    ]
    power = "r"
    while len(terms) > 1:
        pairs = zip(terms[::2], [*terms[1::2], ""], strict=False)
        terms = [f"({a} + {b} * {power})" if b else a for a, b in pairs]
        if len(terms) > 1:
            lines.append(f"{power}{power[-1]} = {power} * {power}")
            power += power[-1]
    return "\n    ".join([*lines, f"minus = {terms[0]} * r"])


def power_of_two(name: str, n: str) -> str:
    """Return 2ⁿ, given n + shift: n becomes the exponent."""
    f = FORMATS[name]
    bits = f"(np.{name}({n}).view(np.{f.whole}) << {f.bits}) + ({f.bias} << {f.bits})"
    return f"np.{f.whole}({bits}).view(np.{name})"


def exponential(name: str) -> str:
    """Return the text of `exp` for float32 or float64.

    2ⁿ is the product of two factors, so that neither overflows or underflows.
    """
    f = FORMATS[name]
    return f"""
@njit(error_model="numpy")
def exp_{name}(x):
    y = x if x < {name}({f.high}) else {name}({f.high})
    y = y if y > {name}({f.low}) else {name}({f.low})
    {reduced(name)}
    half = n * {name}(0.5) + shift
    rest = (n - (half - shift)) + shift
    made = (minus + {name}(1)) * {power_of_two(name, "half")}
    made *= {power_of_two(name, "rest")}
    return x if x != x else made
"""


def hyperbolic(name: str) -> str:
    """Return the text of `tanh` for a type: it is −t/(t + 2) with t = e⁻²ˣ − 1."""
    f = FORMATS[name]
    return f"""
@njit(error_model="numpy")
def tanh_{name}(x):
    y = abs(x) if abs(x) < {name}({f.one}) else {name}({f.one})
    y *= {name}(-2)
    {reduced(name)}
    scale = {power_of_two(name, "n + shift")}
    t = scale * minus + (scale - {name}(1))
    made = {name}(math.copysign(t / (t + {name}(2)), x))
    return x if x != x else made
"""


def summed(name: str) -> str:
    """Return the text of a sum in NumPy's order: in halves, and these eight by eight.

    The order is documented with `numpy.sum`: partial pairwise summation.
    """
    return f"""
@njit(error_model="numpy")
def sum_{name}(a, i, n):
    if n < u(8):
        s = {name}(0)
        for k in range(n):
            s += a[i + k]
        return s
    if n <= u(128):
        r0, r1, r2, r3 = a[i], a[i + u(1)], a[i + u(2)], a[i + u(3)]
        r4, r5, r6, r7 = a[i + u(4)], a[i + u(5)], a[i + u(6)], a[i + u(7)]
        eights = n // u(8)
        for k in range(u(1), eights):
            j = i + k * u(8)
            r0 += a[j]
            r1 += a[j + u(1)]
            r2 += a[j + u(2)]
            r3 += a[j + u(3)]
            r4 += a[j + u(4)]
            r5 += a[j + u(5)]
            r6 += a[j + u(6)]
            r7 += a[j + u(7)]
        s = ((r0 + r1) + (r2 + r3)) + ((r4 + r5) + (r6 + r7))
        for k in range(eights * u(8), n):
            s += a[i + k]
        return s
    half = n // u(2)
    half -= half % u(8)
    return sum_{name}(a, i, half) + sum_{name}(a, i + half, n - half)
"""


def extreme(name: str, which: str) -> str:
    """Return the text of a maximum or minimum that propagates NaN."""
    sign = ">" if which == "max" else "<"
    return f"""
@njit(error_model="numpy")
def {which}_{name}(a, i, n):
    m = a[i]
    for k in range(u(1), n):
        x = a[i + k]
        m = m if m {sign} x or m != m else x
    return m
"""


def helpers(body: str) -> str:
    """Return the source of the helpers that a text calls."""
    found = []
    for name in ("float32", "float64"):
        if f"tanh_{name}(" in body or f"exp_{name}(" in body:
            found.append(exponential(name))
        if f"tanh_{name}(" in body:
            found.append(hyperbolic(name))
        if f"sum_{name}(" in body:
            found.append(summed(name))
        found += [extreme(name, w) for w in ("max", "min") if f"{w}_{name}(" in body]
    return "\n".join(found)
