"""The plan of a program's buffers, and the lines that use them (chapter 22).

A value is live from the call that makes it to the last one that reads it or a view of
it. Then its memory is free for another value. So a program needs only a few buffers,
its slots, and keeps them from call to call. Outputs have no slots, because they belong
to the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lib.engine.ops.choices import kept
from autograd_lib.program.core.ir import Call, Value
from autograd_lib.program.core.writer import Source

ALIGNED = 64  # bytes: a line of the processor's cache
FILLS: dict[Any, int | None] = {np.zeros: 0, np.ones: 1, np.empty: None}
FILLS |= {np.zeros_like: 0, np.ones_like: 1, np.empty_like: None}
COPIES = (
    *(np.array, np.asarray, np.ascontiguousarray, np.copy, np.positive),
    *(np.ndarray.copy, np.ndarray.flatten, np.ndarray.astype),
)
SHAPED = (np.ndarray.reshape, np.ndarray.ravel)
WITH_OUT = (np.einsum, np.concatenate, np.stack, np.clip, kept)
WITHOUT_OUT = ["accumulate", "outer", "reduceat"]
if np.lib.NumpyVersion(np.__version__) < "2.2.0":
    WITHOUT_OUT.append("reduce")  # the largest of a reversed array is wrong in ``out=``


@dataclass(frozen=True)
class Lifetime:
    """The lifetime and the slot of a value.

    Attributes:
        value: the value.
        name: its name in the program.
        birth: index of the call that makes it.
        death: index of the last call that reads it.
        slot: index of its slot.
        bytes: its size in bytes.
    """

    value: Value
    name: str
    birth: int
    death: int
    slot: int
    bytes: int


@dataclass(frozen=True)
class Memory:
    """A memory plan.

    Attributes:
        sizes: size of each slot in bytes.
        slots: the slot of each value that has one.
        lives: birth and death of these values.
    """

    sizes: tuple[int, ...]
    slots: dict[Value, int]
    lives: dict[Value, tuple[int, int]]

    def plan(self, called: dict[Value, str]) -> list[Lifetime]:
        """Return the lifetimes of all named values in slots."""
        return [
            Lifetime(v, called[v], *self.lives[v], slot, v.nbytes)
            for v, slot in self.slots.items()
            if v in called
        ]

    @property
    def like(self) -> dict[Value, np.ndarray]:
        """Arrays with the layout of the values in slots."""
        return {v: lying(np.empty(v.nbytes, np.uint8), v) for v in self.slots}

    def is_fixed(self, call: Call, fixed: dict[Value, Any]) -> bool:
        """Return whether a call makes the same view of a slot each time.

        It doesn't if NumPy has to copy.
        """
        known = all(v in fixed or v.kind == "constant" for v in call.operands())
        if not (call.is_view and known):
            return False
        x, base = call.run(lambda v: fixed.get(v, v.array)), call.out.base
        lies: Any = fixed.get(base, base.array) if base else None
        if not np.may_share_memory(x, lies):
            return False
        fixed[call.out] = x
        return True

    def declared(self, source: Source) -> list[str]:
        """Return the lines that allocate the slots and make arrays of them."""
        source.scope |= SCOPE
        lines = ["", f"slots = [memory(n) for n in {list(self.sizes)}]"]
        for v, slot in self.slots.items():
            if v in source.names_of_values:
                shape, back = turned(v)
                made = f"shown(slots[{slot}], {shape}, {v.dtype.name!r})"
                made += "" if v.in_rows else f".transpose{back}"
                lines.append(f"{source.names_of_values[v]} = {made}")
        return lines if self.slots else []

    def line(self, call: Call, source: Source) -> str:
        """Return the line of a call that writes into its slot, or ""."""
        out = source.of(call.out)
        if call.function in FILLS:
            number = FILLS[call.function]
            return "" if number is None else f"{out}.fill({number})"
        x = copied(call)
        if x is None or call.takes_out:
            return source.expression(call, f"out={out}")
        if x.shape != call.out.shape:
            place = source.names.new(f"{out}_place")
            source.hoisted.append(f"{place} = {out}.reshape({x.shape})")
            out = place
        return f"{source.function_name(np.copyto)}({out}, {source.of(x)})"


def memory(n: int) -> np.ndarray:
    """Return n bytes of memory, aligned to a cache line."""
    raw = np.empty(n + ALIGNED, np.uint8)
    skip = -raw.__array_interface__["data"][0] % ALIGNED
    return raw[skip : skip + n]


def shown(slot: np.ndarray, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return the first bytes of a slot as an array."""
    n = int(np.prod(shape, dtype=int)) * np.dtype(dtype).itemsize
    return slot[:n].view(dtype).reshape(shape)


def turned(v: Value) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a value's shape in C order of its memory, and the transpose back."""
    order = v.order or ()
    back = tuple(order.index(i) for i in range(len(order)))
    return tuple(v.shape[i] for i in order), back


def lying(slot: np.ndarray, v: Value) -> np.ndarray:
    """Return a slot with the layout of a value."""
    shape, back = turned(v)
    return shown(slot, shape, v.dtype.name).transpose(back)


SCOPE = {"memory": memory, "shown": shown}
"""Globals of a program."""


def fills(call: Call) -> bool:
    """Return whether a call can write its result into given memory."""
    if call.takes_out:
        return call.function.__name__ not in WITHOUT_OUT
    known = call.function in FILLS or call.function in WITH_OUT
    return known or call.is_loop or copied(call) is not None


def copied(call: Call) -> Value | None:
    """Return the value that a call only copies, if so. The copy is C-contiguous if it
    has another shape."""
    if call.function not in (*COPIES, *SHAPED) or len(call.outs) != 1 or call.is_view:
        return None
    x, y = call.args[0], call.out
    if type(x) is not Value or x.dtype != y.dtype or x.number or y.number:
        return None
    shaped = y.in_rows and not {str, type(None)} & set(map(type, call.args[1:]))
    return x if x.shape == y.shape or (shaped and not call.options) else None


def is_elementwise(call: Call) -> bool:
    """Return whether a call works element by element."""
    f = call.function
    if f is np.where or f is np.ndarray.astype:
        return len(call.args) == (3 if f is np.where else 2)
    return f is kept or (isinstance(f, np.ufunc) and f.signature is None)
