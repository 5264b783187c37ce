"""What each rewrite may change, on random programs: nothing, or the order of sums.

And what functions write into arrays, tensors, numbers and generators outside. Five
hundred programs in every run, and a hundred and fifty that write.
`python -m tests.library.program.test_program_campaign N` takes N of each, from a place
of your own with a second number, and says how many calls were compared.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program import PASSES, Refused, compile
from autograd_lib.program.calls import floor
from autograd_lib.program.rewrites import REORDER_SUMS
from autograd_lib.program.rewrites.blocks import blocks, in_blocks
from autograd_lib.program.rewrites.reuse_memory import in_slots, reuse_memory
from tests.library.helpers.by_command import run
from tests.library.helpers.random_programs import numbers, random_program
from tests.library.helpers.state_programs import state_program
from tests.library.helpers.weekly import few_always

SMALL: dict[Any, Any] = {blocks: in_blocks(0, 40), reuse_memory: in_slots(0)}
REWRITES = [SMALL.get(p, p) for p in PASSES]  # for the small arrays of these programs
REORDER = [SMALL.get(p, p) for p in REORDER_SUMS]
ORDERS = (None, 1, 0, None, 2, None, 1, 0)  # how often they are differentiated
NEAR = 1e-3  # of the largest number, since some are of float32


def chosen(seed: int) -> list[tuple[Any, ...]]:
    """Return which rewrites are made: none; then one, some in any order, or all."""
    r = random.Random(seed)
    some = r.sample(REWRITES, r.randint(2, len(REWRITES)))
    alone = [REWRITES[seed // 24 % len(REWRITES)]]
    return [(), (tuple(alone), tuple(some), tuple(REWRITES))[seed // 8 % 3]]


def bits(x: np.ndarray) -> bytes:
    """Return the bits of numbers; NaN has one sign, which NumPy leaves open."""
    known = x.dtype.kind == "f" and np.isnan(x).any()
    return (np.where(np.isnan(x), np.nan, x) if known else x).tobytes()


def assert_same(got: Any, want: Any, exact: bool) -> None:
    """Assert that results are the same, to the last bit where that is claimed."""
    assert len(got) == len(want)
    for a, b in zip(got, want, strict=True):
        assert type(a) is type(b), (type(a), type(b))
        x, y = (np.asarray(t.data if isinstance(t, Tensor) else t) for t in (a, b))
        assert (x.shape, x.dtype) == (y.shape, y.dtype)
        if exact:
            assert bits(x) == bits(y), (x, y)
        else:
            scale = np.max(np.abs(y[np.isfinite(y)]), initial=1)
            np.testing.assert_allclose(x, y, rtol=NEAR, atol=NEAR * scale)


def refusal(error: Refused) -> Counter[str]:
    """Count a refusal, and its kind: what is said without shapes and names."""
    said = str(error).partition(" in line")[0]
    kind = re.sub(r"compile\(\w+\): |\w+: (?=a write)|\W*`.*", "", said)
    return Counter(["refused", f"refused: {kind:.60}"])


def compare(seed: int) -> Counter[str]:
    """Compare a program with the function, at two calls each; return what was done.

    Without rewrites it does what the function does. With them it does what it does
    without, to the last bit, but for those that may add in another order.
    """
    f, done = random_program(seed, ORDERS[seed % len(ORDERS)]), Counter[str]()
    inputs = [numbers(seed, which) for which in range(2)]
    try:
        wanted = [f(*arrays) for arrays in inputs]
    except (RuntimeError, ValueError, TypeError, IndexError) as error:
        return Counter([f"the function raises {type(error).__name__}"])
    for passes in chosen(seed):
        compiled = compile(f, passes=passes)
        exact = bool(passes) and not set(passes) & set(REORDER)
        try:
            compiled.program(*inputs[0])  # an error of a rewrite's is one here
        except Refused as error:
            return done + refusal(error)
        for arrays, want in zip(inputs, wanted, strict=True):
            before = [a.tobytes() for a in arrays]
            got = compiled(*arrays)
            assert_same(got, want, exact)
            assert [a.tobytes() for a in arrays] == before
            if compiled.wrong:  # the net has mended it: look at what was wrong
                found = compiled.programs[-1].guard(tuple(arrays), {})
                assert_same(compiled.programs[-1].run(*found)[0], want, exact)
                done["rounding that the net refuses"] += 1
            done["calls"] += 1
            if len(compiled.reasons) > len(compiled.programs):
                done["uncompiled"] += 1
                continue
            for x in got:  # they are the caller's, who may write into them
                a = x.data if isinstance(x, Tensor) else x
                if isinstance(a, np.ndarray) and a.flags.writeable and passes:
                    a[...] = 1
        if not passes:
            wanted = [compiled(*arrays) for arrays in inputs]
    return done


def parts_of(x: Any) -> list[Any]:
    """Return the numbers, arrays and tensors in a state, gradients too."""
    if isinstance(x, Tensor):
        return [x, *parts_of(x.grad)]
    if isinstance(x, dict):
        return parts_of(list(x.values()))
    if isinstance(x, list):
        return [part for item in x for part in parts_of(item)]
    if isinstance(x, np.random.Generator):
        return [str(x.bit_generator.state)]
    return [x]


def compare_states(seed: int) -> Counter[str]:
    """Compare what a function writes with what its program does, at four calls."""
    done = Counter[str]()
    for passes in chosen(seed):
        f, g = state_program(seed), state_program(seed)
        compiled = compile(f, passes=passes)
        for which in range(4):
            arrays = numbers(seed, which)
            try:
                want = g(*arrays)
            except (RuntimeError, ValueError, TypeError, IndexError) as error:
                return done + Counter([f"the function raises {type(error).__name__}"])
            try:
                got = compiled(*arrays)
            except Refused as error:
                return done + refusal(error)
            mine, yours = (parts_of([r, h.state]) for r, h in ((got, f), (want, g)))
            for a, b in zip(mine, yours, strict=True):
                if isinstance(b, Tensor | np.ndarray | np.generic):
                    assert_same([a], [b], exact=not passes)
                else:
                    assert repr(a) == repr(b)
            done["calls with a state"] += 1
        assert not compiled.wrong
        done["programs with a state"] += len(compiled.programs)
        done["uncompiled"] += len(compiled.reasons) - len(compiled.programs)
    return done


GROUP = 25
OTHER_TYPE = pytest.mark.filterwarnings("ignore:.* met (one|a tensor) of float32")


@OTHER_TYPE
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of means of nothing
@pytest.mark.parametrize("group", few_always(500 // GROUP))
def test_programs_are_what_their_functions_are(group: int) -> None:
    done: Counter[str] = Counter()
    for seed in range(group * GROUP, (group + 1) * GROUP):
        done += compare(seed)
    assert done["calls"] > 2 * GROUP


@OTHER_TYPE
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # as above
@pytest.mark.parametrize("group", range(6))
def test_what_programs_write_is_what_their_functions_write(group: int) -> None:
    done: Counter[str] = Counter()
    for seed in range(group * GROUP, (group + 1) * GROUP):
        done += compare_states(seed)
    assert done["calls with a state"] > 6 * GROUP
    assert done["programs with a state"] < 4 * GROUP


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # as above
def test_rounds_of_arrays_that_lie_by_columns_stay_as_they_lie() -> None:
    f = random_program(43516, ORDERS[43516 % len(ORDERS)])
    arrays = numbers(43516, 0)
    assert_same(compile(f)(*arrays), f(*arrays), exact=False)


if __name__ == "__main__":
    floor.clock = float  # which stands still: no recording waits
    run(lambda seed: compare(seed) + compare_states(seed))
