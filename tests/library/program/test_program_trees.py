"""A program is used for a call only if nothing that its function sees has changed.

Random trees are given as an argument, or found by the function, which returns all that
it can see of them, as a number, and a sum of their numbers. A hundred and fifty trees
in every run; `python -m tests.library.program.test_program_trees N` takes N, from a
place of your own with a second number.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program import compile
from tests.library.helpers.by_command import run
from tests.library.helpers.random_trees import Seen, anew, changed, random_tree

CALLS = 10


def told(x: Any, found: bool) -> tuple[int, Any]:
    """Return what a function sees of a tree, and a sum of its numbers."""
    seen, total = Seen(x, found), 0.0
    for k, a in enumerate(seen.numbers, start=1):
        total = total + (a * float(k) if type(a) in (int, float) else (a * k).sum())
    return crc32(repr(seen.words).encode()), total


def compare(seed: int) -> Counter[str]:
    """Compare a program with its function at ten calls; return what was done."""
    r, found = Random(seed), bool(seed % 2)
    x = random_tree(r, [])
    own, before = SimpleNamespace(x=x), [x]
    f: Any = (lambda: told(own.x, True)) if found else lambda x: told(x, False)
    compiled = compile(f)
    for _ in range(CALLS):
        x = r.choice([x, changed(r, x), anew(x, {}), r.choice(before)])
        before.append(x)
        own.x = x
        args = () if found else (x,)
        (said, got), (right, want) = compiled(*args), f(*args)
        assert said == right, Seen(x, found).words
        a, b = (np.asarray(t.data if isinstance(t, Tensor) else t) for t in (got, want))
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-5, equal_nan=True)
    assert not compiled.wrong
    return Counter(calls=CALLS, programs=len(compiled.programs))


GROUP = 25


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of many programs
@pytest.mark.parametrize("group", range(6))
def test_what_a_function_sees_is_what_it_would_see(group: int) -> None:
    done: Counter[str] = Counter()
    for seed in range(group * GROUP, (group + 1) * GROUP):
        done += compare(seed)
    assert done["programs"] < done["calls"] * 0.7


if __name__ == "__main__":
    run(compare)
