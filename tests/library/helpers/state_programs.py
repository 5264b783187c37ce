"""Random functions that write into what they close over, and draw random numbers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.random_programs import FAILS, Step, numbers, step_of

KINDS = ("array", "array", "tensor", "leaf", "list", "number")


class StateProgram:
    """A function of arrays that reads and writes arrays, tensors and numbers.

    Args:
        seed: for what it writes.
        state: what it closes over.
        steps: what it does with all this.
    """

    def __init__(self, seed: int, state: dict[str, Any], steps: list[Step]) -> None:
        self.seed, self.state, self.steps = seed, state, steps

    def __call__(self, *arrays: Any) -> list[Any]:
        """Do the steps, change what is closed over, and return the last values."""
        state, r = self.state, random.Random(self.seed)
        with np.errstate(all="ignore"), no_grad():
            values = [a + 0 for a in arrays]
            values.append(state["rng"].normal(size=r.choice([(), (3,), (2, 3)])))
            for key in [key for key in state if key != "rng"]:
                found = state[key]
                values += found[:1] if isinstance(found, list) else [found]
            for step in self.steps:
                step.take(values)
        for key in [key for key in state if key != "rng"]:
            if r.random() < 0.7:
                self.change(key, r)
        return [v.detach() if isinstance(v, Tensor) else v for v in values[-3:]]

    def change(self, key: str, r: random.Random) -> None:
        """Write something else into a part of the state."""
        x, state = self.state[key], self.state
        if isinstance(x, float):
            state[key] = x * 0.5 + 1
        elif isinstance(x, list):
            x[0] = x[0] * 0.5 if r.random() < 0.5 else x[1]["inner"] * 1
            x[1]["inner"] = x[1]["inner"] + 1
        elif isinstance(x, Tensor):
            if key.startswith("leaf"):
                x.grad = None if r.random() < 0.5 else x.grad
                (x * x * 0.1).sum().backward()
                x.data -= 0.25 * x.grad.data
            elif r.random() < 0.5:
                x.data = (x.data * 0.5).astype(x.dtype)
            else:
                state[key] = x * 0.5
        elif r.random() < 0.5:
            state[key] = np.where(x > 0, x, x + x).astype(x.dtype)
        else:
            x[...] = x[::-1] if x.ndim else x


def state_program(seed: int) -> StateProgram:
    """Return a random function; the same seed makes the same, with its own state."""
    r = random.Random(seed)
    state: dict[str, Any] = {"rng": np.random.default_rng(seed)}
    for i, a in enumerate(numbers(seed + 1, 0)):
        a = np.array(a, order="K")
        kind = r.choice(KINDS)
        if kind in ("tensor", "leaf") and a.dtype.kind == "f":
            state[f"{kind}{i}"] = Tensor(a, requires_grad=kind == "leaf")
        elif kind == "list":
            state[f"list{i}"] = [a, {"inner": a * 2}]
        elif kind == "number":
            state[f"number{i}"] = float(a.sum())
        else:
            state[f"array{i}"] = a
    made = StateProgram(seed, state, [])
    kept = {key: copied(x) for key, x in state.items()}
    draws, arrays = state["rng"].bit_generator.state, numbers(seed, 0)
    for _ in range(r.randint(2, 9)):
        n = len(arrays) + len(state)  # with what is drawn
        n += sum(not step.writes for step in made.steps)
        made.steps.append(step_of(r.randrange(2**32), n, seed))
        try:
            made(*arrays)
        except FAILS:
            made.steps.pop()
        state.update({key: copied(x) for key, x in kept.items()})
    state["rng"].bit_generator.state = draws
    return made


def copied(x: Any) -> Any:
    """Return a part of the state that nothing else shares."""
    if isinstance(x, Tensor):
        return Tensor(x.data.copy(), requires_grad=x.requires_grad)
    if isinstance(x, list):
        return [x[0].copy(), {"inner": x[1]["inner"].copy()}]
    return x.copy() if isinstance(x, np.ndarray) else x
