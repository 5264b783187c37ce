"""Graphs that are drawn, so that an engine which knows the accidents by heart fails.

A graph is data: a list of operations on what is above. The judge differentiates it by a
complex step, and the student's process by the student's engine; only the graph goes
there, and only gradients come back.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograd_lib.small.accidents.bench import Engine

Graph = list[tuple[str, int, int]]
STEP = 1e-20
GRAPHS, INPUTS, LONG = 4, 3, 9
SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (3,), (2, 1))
OPERATIONS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "+": ("", lambda x, y: x + y),
    "*": ("", lambda x, y: x * y),
    "-": ("Number.__sub__", lambda x, y: x - y),
    "t": ("tanh", lambda x, y: x * y),  # tanh(x * y), see `played`
}
"""By name: the name that an engine must have, and what it does."""


def graphs(seed: str) -> list[Graph]:
    """Return some graphs, each of which uses its inputs, and numbers in between."""
    draw = random.Random(f"graphs {seed}")
    found = []
    for _ in range(GRAPHS):
        graph = []
        for i in range(LONG):
            name, last = draw.choice([*OPERATIONS]), INPUTS + i - 1
            other = i if i < INPUTS else draw.randint(0, last - (name == "-"))
            graph.append((name, last, other))
        found.append(graph)
    return found


def inputs(seed: str, of_arrays: bool) -> list[np.ndarray]:
    """Return the numbers or arrays that the graphs begin with."""
    draw = random.Random(f"inputs {seed}")
    shapes = SHAPES if of_arrays else ((),) * INPUTS
    return [
        np.array([draw.uniform(0.3, 1.1) for _ in range(int(np.prod(shape)))]).reshape(
            shape
        )
        for shape in shapes
    ]


def played(graph: Graph, xs: Sequence[Any], tanh: Callable[[Any], Any]) -> Any:
    """Return the result of a graph, of whatever its inputs are."""
    values = list(xs)
    for name, i, j in graph:
        y = OPERATIONS[name][1](values[i], values[j])
        values.append(tanh(y) if name == "t" else y)
    return values[-1]


def usable(graph: Graph, names: Sequence[str]) -> Graph:
    """Return a graph with sums in place of the operations that an engine has not."""
    return [(name if name in names else "+", i, j) for name, i, j in graph]


def right(graph: Graph, xs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the gradient of the sum of a graph's result in each of its inputs."""
    found = []
    for i, x in enumerate(xs):
        slopes = np.zeros(x.shape)
        for place in np.ndindex(x.shape):
            pushed = [a.astype(complex) for a in xs]
            pushed[i][place] += STEP * 1j
            slopes[place] = np.sum(played(graph, pushed, np.tanh)).imag / STEP
        found.append(slopes)
    return found


def answered(engine: Engine, graph: Graph, xs: Sequence[np.ndarray]) -> list[Any]:
    """Return the gradients as an engine has them, as lists."""
    numbers = xs if engine.of_arrays else [float(x) for x in xs]
    leaves = [engine.leaf(x) for x in numbers]
    y = played(graph, leaves, getattr(engine.module, "tanh", None) or abs)
    return [np.asarray(g, float).tolist() for g in engine.slopes(y, leaves)]


def operations(engine: Engine) -> list[str]:
    """Return the operations that an engine has."""
    names = [n for n, (asks, _) in OPERATIONS.items() if not asks or engine.has(asks)]
    return [*names, "-"] if engine.has("Tensor.__sub__") else names


def agrees(got: Any, expected: Sequence[np.ndarray]) -> bool:
    """Whether gradients that came back are the right ones."""
    try:
        arrays = [np.asarray(g, float) for g in got]
    except (TypeError, ValueError):
        return False
    return len(arrays) == len(expected) and all(
        a.shape == e.shape and np.allclose(a, e, 1e-4, 1e-6)
        for a, e in zip(arrays, expected, strict=True)
    )
