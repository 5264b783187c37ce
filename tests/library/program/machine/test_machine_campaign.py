"""Machine code is what its function is, on random programs.

Python runs the texts of four hundred programs itself, since a compiler needs half a
second for each; some more are compiled. `python -m tests.library.program.machine.
test_machine_campaign N` takes N, from a place of your own with a second number.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from autograd_lib.program import Refused, compile
from autograd_lib.program.calls import floor
from autograd_lib.program.machine import nest
from tests.library.helpers.by_command import run
from tests.library.helpers.random_programs import numbers, random_program
from tests.library.helpers.weekly import few_always
from tests.library.program.machine.needed import ALWAYS, interpreted, loops_in, numba
from tests.library.program.test_program_campaign import ORDERS, OTHER_TYPE, assert_same


def compare(seed: int) -> Counter[str]:
    """Compare a program with the function, at two calls; return what was done."""
    f, done = random_program(seed, ORDERS[seed % len(ORDERS)]), Counter[str]()
    inputs = [numbers(seed, which) for which in range(2)]
    try:
        wanted = [f(*arrays) for arrays in inputs]
    except (RuntimeError, ValueError, TypeError, IndexError) as error:
        return Counter([f"the function raises {type(error).__name__}"])
    compiled = compile(f, passes=ALWAYS)
    try:
        compiled.program(*inputs[0])  # an error of a rewrite's is one here
    except Refused:
        return Counter(["refused"])
    for arrays, want in zip(inputs, wanted, strict=True):
        got = compiled(*arrays)
        assert_same(got, want, exact=False)
        done["calls"] += 1
        done["uncompiled"] += len(compiled.reasons) > len(compiled.programs)
    done["loops"] += len(loops_in(compiled))
    return done


GROUP = 50


@OTHER_TYPE
@pytest.mark.filterwarnings("ignore:.* met one of float32")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of overflows, and means of none
@pytest.mark.parametrize("group", few_always(400 // GROUP))
def test_texts_are_what_their_functions_are(
    group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nest, "built", interpreted)
    done: Counter[str] = Counter()
    for seed in range(group * GROUP, (group + 1) * GROUP):
        done += compare(seed)
    assert done["calls"] > GROUP
    assert done["loops"] > GROUP
    assert done["uncompiled"] <= GROUP // 10  # whose checks see other numbers


@OTHER_TYPE
@pytest.mark.filterwarnings("ignore:.* met one of float32")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # as above
def test_compiled_they_are_too() -> None:
    numba()
    done: Counter[str] = Counter()
    for seed in range(5014, 5022):
        done += compare(seed)
    assert done["loops"] > 8


if __name__ == "__main__":
    np.seterr(all="ignore")
    nest.built = interpreted
    floor.clock = float  # which stands still: no recording waits
    run(compare)
