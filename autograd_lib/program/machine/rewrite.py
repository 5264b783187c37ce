"""The rewrites that fuse calls into machine code (chapter 23)."""

from __future__ import annotations

import warnings
from typing import Any

from autograd_lib.program.core.ir import Call, Graph, Value
from autograd_lib.program.machine.build import available
from autograd_lib.program.machine.groups import Group, grouped
from autograd_lib.program.machine.nest import Loops, loops_of
from autograd_lib.program.machine.round_loops import in_machine_code
from autograd_lib.program.rewrites import PASSES, Rewrite
from autograd_lib.program.rewrites.common_subexpressions import common
from autograd_lib.program.rewrites.constants import constants
from autograd_lib.program.rewrites.dead_code import dead_code
from autograd_lib.program.rewrites.helpers import replacing
from autograd_lib.program.rewrites.loops import loops
from autograd_lib.program.rewrites.no_copies import no_copies
from autograd_lib.program.rewrites.numbers import numbers
from autograd_lib.program.rewrites.reuse_memory import reuse_memory
from autograd_lib.program.words.naming import wishes


def machine(graph: Graph) -> Graph:
    """Fuse elementwise calls and reductions into loops of machine code.

    It may add in another order, and change the last digits of `exp`, `tanh` and others.
    """
    return in_loops()(graph)


def in_loops(always: bool = False) -> Rewrite:
    """Return the rewrite; single calls stay with NumPy, unless `always`."""

    def improve(graph: Graph) -> Graph:
        called = wishes(graph)
        for v in [v for c in graph.calls for v in c.outs]:
            v.name = called.get(v, v.name)
        steps: list[Call | Group] = []
        for step in grouped(graph):
            left = isinstance(step, Group) and not (always or step.pays())
            steps += step.calls if isinstance(step, Group) and left else [step]
        read = read_by(steps, graph)
        alone = read_once(graph, steps)
        new: dict[Value, Value] = {}
        calls: list[Call] = []
        for step in steps:
            if isinstance(step, Group):
                outside = read[id(step)]
                loops = loops_of(step, outside, own_place(step, outside, graph, alone))
                if loops.into is not None:
                    new |= dict.fromkeys(outside, loops.out)
                calls.append(loops)
                calls += [c for c in step.calls if c.is_view and c.out in outside]
            else:
                calls.append(in_machine_code(step))
        return replacing(graph, new, calls)

    return improve


def read_by(steps: list[Call | Group], graph: Graph) -> dict[int, set[Value]]:
    """Return the values of each group that are read outside it, also through views."""
    made = {v: id(s) for s in steps if isinstance(s, Group) for v in s.kind}
    found: dict[int, set[Value]] = {id(s): set() for s in steps}
    for step in (*steps, None):
        if step is None:
            several: Any = graph.outputs
        elif isinstance(step, Group):
            several = [p.array for i in step.items for p in i.places if p is not None]
        else:
            several = step.operands()
        for v in several:
            for u in v.bases():
                if u in made and made[u] != id(step):
                    found[made[u]].add(u)
    return found


def read_once(graph: Graph, steps: list[Call | Group]) -> set[Value]:
    """Return the values that are new in each run and read by one group alone."""
    made = {v for c in graph.calls if c.into is None and c.takes_out for v in c.outs}
    readers = {v: set[int]() for v in made}
    for step in steps:
        calls = step.calls if isinstance(step, Group) else [step]
        for v in {v.owner for c in calls for v in c.operands()} & made:
            readers[v].add(id(step) if isinstance(step, Group) else 0)
    returned = {v.owner for v in graph.outputs}
    return {v for v in made - returned if len(readers[v]) == 1 and 0 not in readers[v]}


def own_place(
    group: Group, outside: set[Value], graph: Graph, alone: set[Value]
) -> Value | None:
    """Return an operand that a group's output may overwrite.

    An output has new memory at each call, so the operand can be made there; then two
    arrays go through the cache instead of three.
    """
    if len(outside) != 1 or not group.is_flat:
        return None
    (v,) = outside
    like = v.shape, v.dtype, v.strides
    read = [p.array for i in group.items for p in i.places if p and p.kind == "full"]
    if v not in graph.outputs or v.before is not None or v.base is not None:
        return None
    given = [u for u in read if u in alone and u not in group.kind]
    return next((u for u in given if (u.shape, u.dtype, u.strides) == like), None)


def without_numba(graph: Graph) -> Graph:
    """Warn that Numba isn't installed, and leave the program to NumPy."""
    warnings.warn(
        "compile(passes=MACHINE): Numba is not installed, and the program stays with "
        "NumPy; python -m pip install numba",
        RuntimeWarning,
        stacklevel=2,
    )
    return graph


setattr(machine, "rival", PASSES)  # noqa: B010 - where it is slower, these run
MACHINE: tuple[Rewrite, ...] = (
    *(dead_code, no_copies, constants, common, dead_code, numbers),
    *(loops, dead_code, machine, dead_code, reuse_memory),
)
"""What `compile` takes as `passes` for machine code; without Numba it warns.

A program's calls 3 to 14 run it in turn with the program of `PASSES`, and from then on
the faster one of the two runs.
"""
if not available():
    MACHINE = without_numba, *PASSES


def sources(program: Any) -> list[str]:
    """Return the source that Numba compiles for a program, without helpers."""
    found = [c.text for c in program.calls if isinstance(c, Loops)]
    return ["@loops" + text.split("@loops", 1)[1] for text in dict.fromkeys(found)]
