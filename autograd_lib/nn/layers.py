"""Linear layers, activation functions and Sequential (chapter 16).

Names, arguments and initial weights are PyTorch's; a table in the chapter lists the
differences. Parameters are float32 unless `dtype` says otherwise.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.ops.activations import gelu, relu, sigmoid
from autograd_lib.engine.ops.arithmetic import multiply
from autograd_lib.engine.ops.shapes import reshape
from autograd_lib.engine.ops.trigonometry import tanh
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Random, floating, generator, whole
from autograd_lib.nn.containers import ModuleList
from autograd_lib.nn.functional import linear
from autograd_lib.nn.module import Module, head


class Sequential(ModuleList):
    """Modules in a chain: each is called with the previous result.

    Args:
        modules: modules, or other functions of a tensor.

    Raises:
        TypeError: if one of them cannot be called.

    >>> model = Sequential(Linear(2, 3), ReLU(), Linear(3, 1))
    >>> model(np.zeros((5, 2), np.float32)).shape
    (5, 1)
    """

    def __init__(self, *modules: Any) -> None:
        if len(modules) == 1 and isinstance(modules[0], dict):
            raise TypeError(
                "Sequential: got a dictionary, and names its modules by their places; "
                "write Sequential(*layers.values())"
            )
        super().__init__(modules)

    def checked(self, module: Any, i: int) -> Any:
        """Return the module for item `i`; raise TypeError if it isn't callable."""
        if isinstance(module, list | tuple):
            raise TypeError(
                f"Sequential: item {i} must be a module, such as ReLU(), got "
                f"{module!r:.60}; a list of modules is given as *list"
            )
        return super().checked(module, i)

    def forward(self, x: Any) -> Any:
        """Return the result of calling all modules in order, starting with `x`."""
        for layer in self.layers:
            x = layer(x)
        return x

    def __getitem__(self, i: Any) -> Any:
        return Sequential(*self.layers[i]) if isinstance(i, slice) else self.layers[i]


class Linear(Module):
    """y = x·Wᵀ + b for each row of x, along the last axis.

    Weights and biases are initially uniform between ±1/√in, as in PyTorch.

    Args:
        in_features: the length of a row of x.
        out_features: the length of a row of the result.
        bias: whether b is added.
        rng: the generator of the initial weights, or its seed.
        dtype: the type of the weights.

    Attributes:
        weight: W, of shape (out_features, in_features).
        bias: b, of shape (out_features,), or None.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        *,
        rng: Random = None,
        dtype: Any = np.float32,
    ) -> None:
        self.in_features = whole("Linear: in_features", in_features)
        self.out_features = whole("Linear: out_features", out_features)
        rng, dtype = generator("Linear", rng), floating("Linear", dtype)
        bound = 1 / math.sqrt(in_features)
        shape = (out_features, in_features)
        self.weight = Tensor(rng.uniform(-bound, bound, shape), True, dtype)
        self.bias: Tensor | None = None
        if bias:
            self.bias = Tensor(rng.uniform(-bound, bound, out_features), True, dtype)

    def forward(self, x: Any) -> Tensor:
        """Return x·Wᵀ + b.

        Raises:
            ValueError: if the rows of `x` don't have the length `in_features`.
        """
        try:
            return linear(x, self.weight, self.bias)
        except ValueError:
            shape = np.shape(x)
            if shape[-1:] == (self.in_features,):
                raise
        raise ValueError(
            f"{head(self)}: needs rows of {self.in_features} numbers on the last axis, "
            f"got shape {shape}; {self._way_out(shape)}"
        )

    def _way_out(self, shape: tuple[int, ...]) -> str:
        if len(shape) > 2 and math.prod(shape[1:]) == self.in_features:
            return f"x.reshape({shape[0]}, {self.in_features}), or Flatten() before it"
        if not shape:
            return "one row is x.reshape(1, -1)"
        return f"for these rows make it Linear({shape[-1]}, {self.out_features})"

    def extra_repr(self) -> str:
        """Return the sizes."""
        without = "" if self.bias is not None else ", bias=False"
        return f"{self.in_features}, {self.out_features}{without}"


class Flatten(Module):
    """Merge axes; by default all after the first, so that each item is a row.

    Args:
        start_dim: the first axis that is merged.
        end_dim: the last one.
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.axes = (
            whole("Flatten: start_dim", start_dim, -64),
            whole("Flatten: end_dim", end_dim, -64),
        )

    def forward(self, x: Any) -> Tensor:
        """Return `x` with the axes merged.

        Raises:
            ValueError: if `x` has no axis, or no such axes.
        """
        shape = np.shape(x)
        if not shape:
            raise ValueError("Flatten(): needs a batch of items, got a single number")
        if len(shape) == 1 and self.axes == (1, -1):
            return reshape(x, (*shape, 1))
        n = len(shape)
        first, last = (axis + n if axis < 0 else axis for axis in self.axes)
        if not 0 <= first <= last < n:
            raise ValueError(
                f"Flatten{self.axes}: has no such axes to merge, of shape {shape}"
            )
        merged = math.prod(shape[first : last + 1])
        return reshape(x, (*shape[:first], merged, *shape[last + 1 :]))

    def extra_repr(self) -> str:
        """Return the axes, if they aren't the default."""
        return "" if self.axes == (1, -1) else f"{self.axes[0]}, {self.axes[1]}"


class ReLU(Module):
    """The larger of x and 0."""

    def forward(self, x: Any) -> Tensor:
        """Return max(x, 0)."""
        return relu(x)


class Tanh(Module):
    """The hyperbolic tangent, between -1 and 1."""

    def forward(self, x: Any) -> Tensor:
        """Return tanh x."""
        return tanh(x)


class Sigmoid(Module):
    """1/(1 + e⁻ˣ), between 0 and 1."""

    def forward(self, x: Any) -> Tensor:
        """Return 1/(1 + e⁻ˣ)."""
        return sigmoid(x)


class SiLU(Module):
    """x·σ(x), a smooth relu, from Elfwing et al. and Ramachandran et al. (2017).

    arXiv:1702.03118; "Swish" in arXiv:1710.05941.
    """

    def forward(self, x: Any) -> Tensor:
        """Return x·σ(x)."""
        return multiply(x, sigmoid(x))


class GELU(Module):
    """x·Φ(x), where Φ(x) is the probability that a normal number is below x.

    Args:
        approximate: "none", or "tanh" for the form that GPT-2 is trained with.

    Raises:
        ValueError: if `approximate` is neither.
    """

    def __init__(self, approximate: str = "none") -> None:
        gelu(0.0, approximate)  # an unknown form is refused here, not at the first call
        self.approximate = approximate

    def forward(self, x: Any) -> Tensor:
        """Return x·Φ(x)."""
        return gelu(x, self.approximate)

    def extra_repr(self) -> str:
        """Return `approximate`, if it isn't the default."""
        exact = self.approximate == "none"
        return "" if exact else f"approximate={self.approximate!r}"
