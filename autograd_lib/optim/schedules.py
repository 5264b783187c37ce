"""Learning rates that change with the step (chapter 16)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.nn.arguments import at_least_zero, real, whole
from autograd_lib.nn.state import fitting
from autograd_lib.optim.optimizer import Optimizer


def warmup_cosine(warmup: int, total: int, last: float = 0.0) -> Callable[[int], float]:
    """Return a schedule: a function of the step, from 0, that returns a factor of lr.

    It rises linearly to 1 in `warmup` steps, then falls along half a cosine to `last`
    at step `total`, and stays there.

    Raises:
        TypeError: if `warmup` or `total` is not a whole number.
        ValueError: if `warmup` is negative, `total` not above it, or `last` not from 0
            to 1.

    >>> factor = warmup_cosine(10, 110)
    >>> [round(factor(step), 2) for step in (0, 9, 10, 60, 110)]
    [0.1, 1.0, 1.0, 0.5, 0.0]
    """
    start = whole("warmup_cosine: warmup", warmup, least=0)
    end = whole("warmup_cosine: total", total, least=start + 1)
    low = real("warmup_cosine: last", last, lambda x: 0 <= x <= 1, "from 0 to 1")

    def factor(step: int) -> float:
        if step < start:
            return (step + 1) / start
        way = min(1.0, (step - start) / (end - start))
        return low + (1 - low) * (1 + math.cos(math.pi * way)) / 2

    return factor


class LambdaLR:
    """Makes an optimiser's learning rates follow a schedule.

    Args:
        optimizer: the optimiser, whose present rates are multiplied by the schedule.
        lr_lambda: a schedule, such as `warmup_cosine` returns.

    Attributes:
        steps: how often `step` was called.
        base: each group's rate before it is multiplied.

    Raises:
        TypeError: if `optimizer` isn't an optimiser, `lr_lambda` isn't callable, or it
            doesn't return a number.
        ValueError: if it returns a negative number, NaN or infinity. `step` raises the
            same errors, and then changes nothing.
    """

    changing = ("steps",)  # from call to call, as `compile` asks

    def __init__(self, optimizer: Optimizer, lr_lambda: Callable[[int], float]) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(
                "LambdaLR: optimizer is an optimiser, such as SGD(params, lr=0.1), "
                f"got {optimizer!r:.60}"
            )
        if not callable(lr_lambda):
            raise TypeError(
                "LambdaLR: lr_lambda is a function of the step, such as "
                f"warmup_cosine(10, 100), got {lr_lambda!r:.60}"
            )
        self.optimizer, self.lr_lambda = optimizer, lr_lambda
        self.base = optimizer.rates()
        self._set(0)

    def step(self, *loss: Any) -> None:
        """Set the rates for the next step; call it after the optimiser's step."""
        if loss:
            raise TypeError(
                "LambdaLR.step: takes nothing, for the rate follows the step alone; of "
                "a loss that stays, set optimizer.lr before a step"
            )
        self._set(self.steps + 1)

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return what the next rates depend on, besides the schedule, as arrays."""
        return {"steps": numpy().array(self.steps), "base": numpy().array(self.base)}

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `state_dict` returned, and set the rates.

        Raises:
            TypeError: if it isn't a mapping of names to numbers.
            ValueError: if it is of another number of groups, or counts fewer than 0
                steps; nothing is changed.
        """
        who = "load_state_dict of LambdaLR"
        arrays = fitting(
            who, self.state_dict(), state, "make it as it was, of the same groups"
        )
        if arrays["steps"] < 0:
            raise ValueError(
                f"{who}: steps are counted from 0, got {arrays['steps']}; nothing was "
                "changed"
            )
        before = self.base
        self.base = [at_least_zero(f"{who}: base", float(r)) for r in arrays["base"]]
        try:
            self._set(int(arrays["steps"]))
        except (TypeError, ValueError):
            self.base = before
            raise

    def get_last_lr(self) -> list[float]:
        """Return the rate of each group."""
        return self.optimizer.rates()

    def _factor(self, steps: int) -> float:
        return at_least_zero(f"LambdaLR: lr_lambda({steps})", self.lr_lambda(steps))

    def _set(self, steps: int) -> None:
        factor = numpy().called(self._factor, steps)
        who = f"LambdaLR: lr_lambda({steps})"
        rates = [at_least_zero(f"{who} * {lr:g}", lr * factor) for lr in self.base]
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        self.steps = steps
