"""The tensor engines that are compared, each behind the same interface."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.tensor_engines.base import Engine

BY_HAND = "by hand"
OURS = "autograd_lib"

MODULES = {
    BY_HAND: "of_hand",
    OURS: "of_ours",
    "HIPS autograd": "of_hips",
    "MyGrad": "of_mygrad",
    "DeZero": "of_dezero",
    "JAX": "of_jax",
    "PyTorch": "of_torch",
}
COMPARED = tuple(MODULES)

COMPILED = {
    "compiled": "of_compiled",
    "machine code": "of_machine",
    "program alone": "of_program",
    "torch.compile": "of_torch_compiled",
}


def engine(name: str) -> Engine:
    """Return an engine by its name.

    Raises:
        ImportError: if the engine is not installed.
    """
    file = (MODULES | COMPILED)[name]
    module = importlib.import_module(f"benchmarks.tensor_engines.{file}")
    made: Engine = module.ENGINE()
    return made
