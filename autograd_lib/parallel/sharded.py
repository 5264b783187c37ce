"""An optimiser whose state is split among ranks (chapter 24).

The first stage of Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training
Trillion Parameter Models" (2020), arXiv:1910.02054. It needs optimisers that work
element by element, as all of `optim` do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.optim.optimizer import Optimizer
from autograd_lib.parallel.data_parallel import cut
from autograd_lib.parallel.ranks import Ranks, world


class Sharded:
    """Each rank moves its part of the parameters, and keeps only that part's state.

    Args:
        make: makes the optimiser for a list of parameters, such as
            ``lambda params: Adam(params, lr=1e-3)``.
        params: leaves of one dtype, the same on each rank.
        ranks: the processes; by default all.

    Attributes:
        optimizer: the optimiser of this rank's part, which is one vector; its `lr` may
            be assigned, on all ranks.

    Raises:
        ValueError: if there are no parameters, or they have several dtypes.
    """

    def __init__(
        self,
        make: Callable[[list[Tensor]], Optimizer],
        params: Iterable[Tensor],
        ranks: Ranks | None = None,
    ) -> None:
        self.ranks, self.params = ranks or world(), list(params)
        types = sorted({str(p.dtype) for p in self.params})
        if len(types) != 1:
            raise ValueError(
                "Sharded: needs parameters of one type of numbers, got "
                f"{', '.join(types) or 'none'}; make one Sharded for each type"
            )
        self._mine = Tensor(self._part(p.data for p in self.params), True, types[0])
        self.optimizer = make([self._mine])

    def _part(self, arrays: Iterable[np.ndarray]) -> np.ndarray:
        flat = np.concatenate([a.ravel() for a in arrays])
        return flat[self.ranks.part(len(flat))]

    def zero_grad(self) -> None:
        """Forget the gradients."""
        for p in self.params:
            p.grad = None

    def step(self) -> None:
        """Move this rank's part, and get the other parts from the other ranks.

        Gradients must be the same on all ranks, as after `average_gradients`.

        Raises:
            RuntimeError: if a parameter has no gradient, or a rank's step failed. It is
                raised on every rank, and nothing is changed.
        """
        before, refused = self.optimizer.state_dict(), ""
        self._mine.data = self._part(p.data for p in self.params)
        try:
            self._move()
        except (RuntimeError, FloatingPointError) as error:
            refused = str(error)
        said = self.ranks.objects(refused)
        if any(said):
            self.optimizer.load_state_dict(before)
            rank, why = next((r, why) for r, why in enumerate(said) if why)
            raise RuntimeError(f"Sharded.step: on rank {rank}: {why}")
        whole = self.ranks.gather(self._mine.data, 0, "Sharded.step")
        for p, a in zip(self.params, cut(whole, self.params), strict=True):
            p.data = a.copy()

    def _move(self) -> None:
        without = [i for i, p in enumerate(self.params) if p.grad is None]
        if without:
            raise RuntimeError(
                f"parameters {without} of {len(self.params)} have no gradient; call "
                "loss.backward() and average_gradients() before each step, and leave "
                "out what is not trained"
            )
        g = self._part(p.grad.data for p in self.params if p.grad is not None)
        self._mine.grad = Tensor(g)
        self.optimizer.step()

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return this rank's part of the state; save it under a separate name."""
        return self.optimizer.state_dict()

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state of this rank, with the same number of ranks.

        Raises:
            TypeError: if it isn't a mapping of names to numbers.
            ValueError: if it is the state of another part.
        """
        self.optimizer.load_state_dict(state)
