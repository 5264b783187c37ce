"""Rounds that were found in a program, in machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.functional import grad
from autograd_lib.program import compile
from tests.library.program.machine.needed import ALWAYS, loops_in, numba


def chain(x: Any, a: Any, b: Any) -> Any:
    for _ in range(30):
        x = (x * a + b).relu() * 0.5
    return x.sum()


@pytest.mark.parametrize("shape", [(8,), (2, 3), (1,)])
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_rounds_have_the_bits_that_they_have_in_python(shape: Any, kind: str) -> None:
    numba()
    rng = np.random.default_rng(0)
    given = [ag.from_numpy(rng.normal(size=shape).astype(kind)) for _ in range(3)]
    compiled = compile(grad(chain, argnums=(0, 1, 2)), passes=ALWAYS)
    plain = compile(grad(chain, argnums=(0, 1, 2)), passes=())
    got, want = compiled(*given), plain(*given)
    told = [c.told for c in loops_in(compiled) if "rounds" in c.told]
    assert len(told) == 2, compiled.programs[-1].source  # forward, and backward
    # Sums over rounds are taken in another order: thirty terms.
    for g, w in zip(got, want, strict=True):
        eps = float(np.finfo(kind).eps)
        np.testing.assert_allclose(g.data, w.data, rtol=30 * eps, atol=30 * eps)


def test_a_row_for_each_round_and_a_state() -> None:
    numba()
    rng = np.random.default_rng(1)
    rows, start = rng.normal(size=(40, 5)), rng.normal(size=5)

    def filtered(rows: Any, start: Any) -> Any:
        kept, h = [], start
        for row in rows:
            h = h * 0.9 + row
            kept.append(h * h)
        return np.stack(kept), h

    compiled = compile(filtered, passes=ALWAYS)
    got, want = compiled(rows, start), filtered(rows, start)
    for g, w in zip(got, want, strict=True):
        assert g.tobytes() == w.tobytes()
