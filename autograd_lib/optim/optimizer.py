"""The base class of optimisers: check a step as a whole, then make it (chapter 16)."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.nn.arguments import Checked, at_least_zero
from autograd_lib.nn.state import fitting
from autograd_lib.optim.parameters import Parameters, in_groups, is_finite, listed
from autograd_lib.spelling import explain_absent, explain_making, no_keyword

Self = TypeVar("Self", bound="Optimizer")


class Optimizer(Checked):
    """Moves parameters against their gradients; subclasses calculate the step.

    Args:
        params: leaves that require a gradient, such as ``model.parameters()``; with
            ``model.named_parameters()``, messages use the names. One that is frozen
            stays where it is until it is trained again. Or groups of them: a
            list of dictionaries, each with "params", and optionally "lr" or
            "weight_decay".
        lr: the learning rate, 0 or more. Assigning it sets the rate of all groups;
            reading it returns the first group's.

    A subclass says in `change` what is subtracted, and names in `remembers` the arrays
    that it keeps for each parameter, which begin as zeros and are saved with its state.
    RMSprop, for example:

        class RMSprop(Optimizer):
            remembers = ("square",)

            def change(self, p, g, memory, move):
                square = 0.99 * memory[0] + 0.01 * g * g
                return self.lr * g / (np.sqrt(square) + 1e-8), [square]

    Attributes:
        params: the parameters.
        remembers: of the class, the names of the arrays in `memory`; () for none.
        param_groups: the groups, each a dictionary with "params", "lr" and its other
            settings. The numbers may be assigned at any time.
        steps: how many steps were made.

    Raises:
        TypeError: if `params` or `lr` has another type.
        ValueError: if there are no parameters, one is listed twice or cannot be moved,
            or the learning rate is negative, NaN or infinite.
    """

    remembers: tuple[str, ...] = ()  # names of the arrays kept for each parameter
    changing: tuple[str, ...] = ("lr", "weight_decay", "memory", "moves", "steps")
    """Attributes, and settings of groups, that change from step to step."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        explain_making(cls)

    def __init__(self, params: Parameters, lr: float) -> None:
        self.kind = type(self).__name__
        groups = in_groups(self.kind, params)
        named = listed(self.kind, [p for group in groups for p in group["params"]])
        self.names = list(named)
        self.params = list(named.values())
        left = iter(self.params)
        self.param_groups: list[dict[str, Any]] = [
            {"lr": lr, **group, "params": tuple(next(left) for _ in group["params"])}
            for group in groups
        ]
        for group in self.param_groups:
            self.for_group(group)
        self.steps = 0
        self.moves = [0] * len(self.params)  # how often each was moved
        self.memory = [
            [np.zeros_like(p.data) for _ in self.remembers] for p in self.params
        ]

    @property
    def lr(self) -> float:
        """The learning rate."""
        rate: float = self.param_groups[0]["lr"]
        return rate

    @lr.setter
    def lr(self, lr: float) -> None:
        rate = at_least_zero(f"{self.kind}: lr", lr)
        for group in self.param_groups:
            group["lr"] = rate

    def for_group(self: Self, group: dict[str, Any]) -> Self:
        """Return this optimiser, or a copy, with the settings of one group.

        Raises:
            TypeError: if a setting isn't a number.
            ValueError: if it is negative, NaN or infinite, or unknown.
        """
        alone = self
        if len(self.param_groups) > 1 or len(group) > 2:
            alone = copy.copy(self)
            alone.param_groups = [group]
        for name in group.keys() - {"params"}:
            if name != "lr" and not (name == "weight_decay" and hasattr(self, name)):
                raise ValueError(
                    f"{self.kind}: a group has params, and lr or weight_decay that "
                    f"differ, got {name!r}; what else differs takes an optimiser more"
                )
            setattr(alone, name, at_least_zero(f"{self.kind}: {name}", group[name]))
        return alone

    def zero_grad(self, **unknown: Any) -> None:
        """Forget the gradients."""
        if unknown:
            raise no_keyword(f"{self.kind}.zero_grad", unknown)
        for parameter in self.params:
            parameter.grad = None

    def change(
        self, p: np.ndarray, g: np.ndarray, memory: list[np.ndarray], move: int
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the array to subtract from a parameter, and the arrays to keep.

        Args:
            p: the parameter; must not be written into.
            g: its gradient; must not be written into.
            memory: the arrays kept at its last move, one for each name in
                `remembers`, initially zeros.
            move: the number of this move, from 1.
        """
        raise NotImplementedError(f"{self.kind} has no change(p, g, memory, move)")

    def step(self, *closure: Any) -> None:
        """Move each parameter that has a gradient.

        Raises:
            RuntimeError: if none has.
            TypeError: if it is given a closure, as in PyTorch.
            ValueError: if such a parameter is read-only; nothing is changed.
            FloatingPointError: if a gradient or a step is NaN or infinite. The message
                names the step and the first such parameter, and nothing is changed.
        """
        if closure:
            raise TypeError(
                f"{self.kind}.step: takes no closure, since each step is made of one "
                "gradient; call loss.backward() first, then step()"
            )
        changes = []
        settings: list[Optimizer] = []
        for group in self.param_groups:
            settings += [self.for_group(group)] * len(group["params"])
        with np.errstate(all="ignore"):  # anything not finite raises below
            for i, (p, own) in enumerate(zip(self.params, settings, strict=True)):
                if p.requires_grad and p.grad is not None:
                    if not p.data.flags.writeable:
                        raise ValueError(
                            f"{self.kind}.step: {self.names[i]} shows memory that is "
                            "read-only, and nothing was changed; make the parameter "
                            "of a copy"
                        )
                    move = self.moves[i] + 1
                    d, kept = own.change(p.data, p.grad.data, self.memory[i], move)
                    if not all(map(is_finite, (d, *kept))):
                        self._refuse(i, own.lr)
                    changes.append((i, d, kept))
        if not changes:
            raise RuntimeError(
                f"{self.kind}.step: no parameter has a gradient; call loss.backward() "
                "after zero_grad() and before each step"
            )
        for i, d, kept in changes:
            self.params[i].data -= d
            self.memory[i] = kept
            self.moves[i] += 1
        self.steps += 1

    def _refuse(self, i: int, lr: float) -> None:
        name, p = self.names[i], self.params[i]
        bad = int(p.size - np.isfinite(p.grad.data).sum())
        rest = [q.grad.data for q in self.params[i + 1 :] if q.grad is not None]
        more = sum(not is_finite(g) for g in rest)
        others = f", and so are some of {more} parameters after it" if more else ""
        what = (
            f"{bad} of the {p.size} numbers in the gradient of {name}, of shape "
            f"{p.shape}, are nan or infinite{others}; look at the loss and at what "
            "it was calculated from"
            if bad
            else f"the gradient of {name}, of shape {p.shape}, is finite, up to "
            f"{np.abs(p.grad.data).max():.2g}, but the step that it gives is not"
        )
        raise FloatingPointError(
            f"{self.kind}.step: step {self.steps + 1} is refused and nothing was "
            f"changed: {what}. A smaller lr than {lr:g}, or clip_grad_norm, may "
            "keep it from coming to this"
        )

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return copies of everything that the next steps depend on, by name."""
        state = {
            "lr": numpy().array(
                self.rates() if len(self.param_groups) > 1 else self.lr
            ),
            "steps": numpy().array(self.steps),
            "moves": numpy().array(self.moves),
        }
        for i, memory in enumerate(self.memory):
            for name, kept in zip(self.remembers, memory, strict=True):
                state[f"{i}.{name}"] = kept.copy()
        return state

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `state_dict` returned.

        Raises:
            TypeError: if it isn't a mapping of names to numbers.
            ValueError: if it is another optimiser's or other parameters', or counts
                fewer than 0 steps. The message lists the differences, and nothing is
                changed.
        """
        who = f"load_state_dict of {self.kind}"
        arrays = fitting(
            who,
            self.state_dict(),
            state,
            "make the optimiser as it was, of the same parameters",
        )
        for name in ("steps", "moves"):
            if (arrays[name] < 0).any():
                raise ValueError(
                    f"{who}: {name} are counted from 0, got {arrays[name].tolist()}; "
                    "nothing was changed"
                )
        rates = [at_least_zero(f"{who}: lr", float(r)) for r in arrays["lr"].flat]
        for group, rate in zip(self.param_groups, rates, strict=True):
            group["lr"] = rate
        self.steps = int(arrays["steps"])
        self.moves = [int(n) for n in arrays["moves"]]
        self.memory = [
            [arrays[f"{i}.{name}"].copy() for name in self.remembers]
            for i in range(len(self.params))
        ]

    def rates(self) -> list[float]:
        """Return the learning rate of each group."""
        return [group["lr"] for group in self.param_groups]

    def __repr__(self) -> str:
        count = sum(p.size for p in self.params)
        rates = " and ".join(f"{rate:g}" for rate in self.rates())
        return (
            f"{self.kind}: lr {rates}, {len(self.params)} tensors with {count:,} "
            f"parameters, {self.steps} steps made"
        )


explain_absent(Optimizer, "an optimiser")
