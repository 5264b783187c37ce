"""What a GPT of the reader's engine learned, kept for pages (chapter 18).

``python -m benchmarks.small_trained --keep`` makes it anew, in 4,000 steps from each of
three seeds. The weights are those of the first, kept with half of their digits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("gpt.npz")
NO_WEIGHTS = "losses", "held_out", "library", "small"


def kept_gpt(engine: Any) -> dict[str, Any]:
    """Return the learned weights by name, as float32 leaves of an engine.

    Args:
        engine: a module with `Tensor`, such as `autograd_lib.small.gpt` or yours.
    """
    with np.load(FILE) as arrays:
        return _leaves(
            engine, {k: arrays[k] for k in arrays.files if k not in NO_WEIGHTS}
        )


def kept_losses() -> tuple[np.ndarray, float]:
    """Return the loss in training, a mean of each hundred steps, and the held-out one.

    Returns:
        An array of shape (40,), and a number, both in nats.
    """
    with np.load(FILE) as arrays:
        return arrays["losses"], float(arrays["held_out"])


def kept_runs() -> dict[str, np.ndarray]:
    """Return what the library and the reader's engine reached, trained in turn.

    Returns:
        For "library" and "small" an array with a row for each of three seeds. It has
        the loss at steps 1, 100, 1,000 and 4,000, that on held-out text, and the
        milliseconds of a step. A loss in training is a mean of up to 20 steps.
    """
    with np.load(FILE) as arrays:
        return {name: arrays[name] for name in ("library", "small")}


def same_weights(model: Any, engine: Any) -> dict[str, Any]:
    """Return the weights of the library's GPT by the reader's names.

    Args:
        model: an `autograd_lib.nn.gpt.GPT`.
        engine: the module whose float32 leaves they become.
    """
    found = {"token": model.embedding.weight.data, "place": model.position.weight.data}
    found |= _layer("norm", model.norm.weight.data, model.norm.bias.data)
    for i, block in enumerate(model.blocks):
        attention, (up, _, down) = block.attention, block.network
        W, b = attention.in_proj.weight.data, attention.in_proj.bias.data
        d = len(W) // 3
        for k, part in enumerate("qkv"):
            rows = slice(k * d, (k + 1) * d)
            found |= _layer(f"{i}.{part}", W[rows].T, b[rows])
        for name, linear in (("out", attention.out_proj), ("up", up), ("down", down)):
            found |= _layer(f"{i}.{name}", linear.weight.data.T, linear.bias.data)
        for name, norm in (("norm1", block.norm1), ("norm2", block.norm2)):
            found |= _layer(f"{i}.{name}", norm.weight.data, norm.bias.data)
    return _leaves(engine, found)


def _layer(name: str, W: np.ndarray, b: np.ndarray) -> dict[str, np.ndarray]:
    return {f"{name}.W": W, f"{name}.b": b}


def _leaves(engine: Any, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    return {
        name: engine.Tensor(a, requires_grad=True, dtype=np.float32)
        for name, a in arrays.items()
    }
