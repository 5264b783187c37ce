"""The works on which engines are compared, each in a file with a gradient by hand.

A file has `data`, which makes parameters and constants; `loss`, which is written once
for all engines; and `by_hand`, which calculates loss and gradients in NumPy without an
engine. The gradients are derived on paper and written as a careful author would: arrays
that the function has made itself are changed in place.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import Arrays, Engine, Step

RATE = 1e-3


@dataclass(frozen=True)
class Work:
    """One row of the table.

    Attributes:
        label: its name in the table.
        file: its file in this folder.
        kind: what one step is: "gradients", "training" or "hessian", or "memory" for
            gradients whose memory is measured, not their time.
        size: the arguments of its `data`.
        tiny: the same for tests.
        goal: the highest acceptable ratio of our time to the limit.
    """

    label: str
    file: str
    kind: str
    size: dict[str, Any]
    tiny: dict[str, Any]
    goal: float
    module: Any = field(init=False, compare=False)

    def __post_init__(self) -> None:
        module = importlib.import_module(f"{__name__}.{self.file}")
        object.__setattr__(self, "module", module)

    def step(self, engine: Engine, tiny: bool, dtype: Any = np.float32) -> Step:
        """Return a step of this work on an engine."""
        parameters, raw = self.module.data(dtype, **(self.tiny if tiny else self.size))
        constants = prepared(engine, raw)
        if self.kind == "training":
            return engine.training(self.module, parameters, constants, RATE)
        if self.kind == "hessian":
            vectors = directions(parameters)
            return engine.hessian_vector(self.module, parameters, constants, vectors)
        return engine.gradients(self.module, parameters, constants)

    def gradients(self, engine: Engine, tiny: bool, dtype: Any = np.float32) -> Arrays:
        """Return the gradients or Hessian-vector product that engines must agree on.

        For training these are the gradients of the first step.
        """
        if self.kind == "training":
            parameters, raw = self.module.data(
                dtype, **(self.tiny if tiny else self.size)
            )
            step = engine.gradients(self.module, parameters, prepared(engine, raw))
        else:
            step = self.step(engine, tiny, dtype)
        return [np.array(g) for g in engine.arrays(step())]


def prepared(engine: Engine, raw: dict[str, Any]) -> SimpleNamespace:
    """Return constants as the engine's type; integers stay arrays."""
    made = {}
    for name, value in raw.items():
        made[name] = value
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            of = engine.images if name == "images" else engine.constant
            made[name] = of(value)
    return SimpleNamespace(**made)


def directions(parameters: Arrays) -> Arrays:
    """Return a vector for each parameter, by which the Hessian is multiplied."""
    rng = np.random.default_rng(1)
    return [rng.standard_normal(p.shape).astype(p.dtype) for p in parameters]


MLP = {"widths": (784, 256, 128, 10), "batch": 64}
TINY_MLP = {"widths": (5, 4, 3), "batch": 2}
BLOCK = {"batch": 8, "time": 64, "width": 64, "heads": 4}
TINY_BLOCK = {"batch": 2, "time": 3, "width": 4, "heads": 2}

WORKS = {
    work.label: work
    for work in (
        Work("MLP, one SGD step", "perceptron", "training", MLP, TINY_MLP, 1.08),
        Work(
            "1,000 operations on 8 floats",
            "recurrence",
            "gradients",
            {"rounds": 250, "size": 8},
            {"rounds": 2, "size": 3},
            2.8,
        ),
        Work(
            "20 operations on 10⁶ floats",
            "recurrence",
            "gradients",
            {"rounds": 5, "size": 1_000_000},
            {"rounds": 1, "size": 5},
            1.3,
        ),
        Work(
            "CNN, images of 28×28",
            "convolution",
            "gradients",
            {"side": 28, "batch": 32},
            {"side": 8, "batch": 1},
            1.3,
        ),
        Work(
            "CNN, images of 8×8",
            "convolution",
            "gradients",
            {"side": 8, "batch": 32},
            {"side": 8, "batch": 2},
            1.3,
        ),
        Work("GPT block", "block", "gradients", BLOCK, TINY_BLOCK, 1.3),
        Work("MLP, Hessian times vector", "perceptron", "hessian", MLP, TINY_MLP, 1.5),
        Work(
            "relu rounds on 10⁶ floats",
            "relu",
            "gradients",
            {"rounds": 5, "size": 1_000_000},
            {"rounds": 2, "size": 5},
            1.3,
        ),
        Work(
            "layer norm and GELU",
            "normed",
            "gradients",
            {"rows": 2048, "width": 64},
            {"rows": 3, "width": 5},
            1.3,
        ),
        Work(
            "MLP of 100 layers, memory",
            "deep",
            "memory",
            {"layers": 100, "width": 128, "batch": 256},
            {"layers": 3, "width": 4, "batch": 2},
            1.02,
        ),
    )
}
