"""Call a function and its program in turn, and compare every bit of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program import Refused, compile

Calls = Callable[[Callable[..., Any]], Iterable[Any]]


def bits(x: Any) -> Any:
    """Return what tells whether two values are the same, types and order included."""
    kind = type(x).__name__
    if issubclass(type(x), np.ndarray | np.generic):  # not what stands for one
        return kind, x.dtype.str, x.shape, x.tobytes()
    if isinstance(x, Tensor):
        return kind, x.requires_grad, bits(x._array), bits(x.grad)
    if isinstance(x, np.random.Generator):
        return kind, repr(x.bit_generator.state)
    if isinstance(x, Mapping):
        return kind, [(bits(key), bits(part)) for key, part in x.items()]
    if isinstance(x, list | tuple):
        return kind, [bits(part) for part in x]
    if hasattr(x, "__dict__"):
        return kind, bits(vars(x))
    return kind, repr(x)


def assert_same_calls(calls: Calls, uncompiled: str = "none") -> None:
    """Assert that what is yielded is the same, whether functions are compiled or not.

    Args:
        calls: is given what wraps a function, and yields what each of at least four
            calls returns, with the state that it leaves.
        uncompiled: for these reasons calls may run without a program.
    """
    made: list[Any] = []

    def wrap(f: Any, **options: Any) -> Any:
        made.append(compile(f, **options))
        return made[-1]

    want = [bits(x) for x in calls(lambda f, **_: f)]
    got = [bits(x) for x in calls(wrap)]
    assert len(got) == len(want)
    other = [i for i, x in enumerate(want, 1) if got[i - 1] != x]
    assert not other, f"calls {other}: {got[other[0] - 1]}, not {want[other[0] - 1]}"
    assert len(got) >= 4
    for compiled in made:
        assert not compiled.wrong
        assert sum(known.uses for known in compiled.programs) > 1
        ran = [reason for reason in compiled.reasons if "uncompiled" in reason]
        assert all(re.search(uncompiled, reason) for reason in ran), ran


def assert_refused(words: str, f: Any, args: Any, state: Any = None) -> None:
    """Assert that a call is refused with these words, and leaves all as it was."""
    before = bits((args, state))
    for _ in range(2):
        with pytest.raises(Refused, match=words):
            f(*args)
        assert bits((args, state)) == before
