"""What a GPT of the reader's engine learned, kept for pages (chapter 20).

``python -m benchmarks.small_trained --keep`` makes it anew, in 4,000 steps. The numbers
are kept with half of their digits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("gpt.npz")


def kept_gpt(engine: Any) -> dict[str, Any]:
    """Return the learned weights by name, as float32 leaves of an engine.

    Args:
        engine: a module with `Tensor`, such as `autograd_lib.small.gpt` or yours.
    """
    with np.load(FILE) as arrays:
        return {
            name: engine.Tensor(arrays[name], requires_grad=True, dtype=np.float32)
            for name in arrays.files
            if name not in ("losses", "held_out")
        }


def kept_losses() -> tuple[np.ndarray, float]:
    """Return the loss in training, a mean of each hundred steps, and the held-out one.

    Returns:
        An array of shape (40,), and a number, both in nats.
    """
    with np.load(FILE) as arrays:
        return arrays["losses"], float(arrays["held_out"])
