"""Random generators, and their states (chapter 21)."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np

GENERATORS = (
    np.random.Generator,
    np.random.RandomState,
    np.random.BitGenerator,
    random.Random,
)
_states: dict[str, Any] = {
    "numpy.random": np.random.get_state,
    "random": random.getstate,
}
SHARED = {name: state.__self__ for name, state in _states.items()}  # by all programs


def state_of(generator: Any) -> bytes:
    """Return the state of a generator."""
    if isinstance(generator, np.random.Generator):
        return pickle.dumps(generator.bit_generator.state)
    if isinstance(generator, np.random.BitGenerator):
        return pickle.dumps(generator.state)
    if isinstance(generator, np.random.RandomState):
        return pickle.dumps(generator.get_state(legacy=False))
    try:
        return pickle.dumps(generator.getstate())
    except NotImplementedError:  # the system's generator has no state
        return b""


def set_state(generator: Any, state: bytes) -> None:
    """Restore an earlier state of a generator."""
    if not state:
        return
    if isinstance(generator, np.random.Generator):
        generator.bit_generator.state = pickle.loads(state)
    elif isinstance(generator, np.random.BitGenerator):
        generator.state = pickle.loads(state)
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(pickle.loads(state))
    else:
        generator.setstate(pickle.loads(state))
