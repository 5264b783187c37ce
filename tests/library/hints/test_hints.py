"""Every hint that writes code is run, beside PyTorch, or its test is missing here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.spelling import sentences
from tests.library.hints.hint import CODE, Hint, compare, here, names, prose
from tests.library.hints.layers import LAYERS
from tests.library.hints.package import PACKAGE
from tests.library.hints.rest import REST
from tests.library.hints.tensors import TENSORS
from tests.library.hints.transforms import TRANSFORMED
from tests.library.hints.writes import WRITES

SENTENCES = {
    (place, name): sentence
    for place, of_place in sentences().items()
    for name, sentence in of_place.items()
}
CASES: dict[tuple[str, str], Hint] = {
    **PACKAGE,
    **TRANSFORMED,
    **LAYERS,
    **REST,
    **TENSORS,
    **WRITES,
}
RUN = sorted(key for key, case in CASES.items() if case.code)
BESIDE = [key for key in RUN if CASES[key].torch]
each_type = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def dotted(key: tuple[str, str]) -> str:
    return ".".join(key).replace("autograd_lib", "ag")


@pytest.mark.parametrize("key", sorted(SENTENCES), ids=dotted)
def test_a_hint_that_writes_code_has_a_case(key: tuple[str, str]) -> None:
    sentence = SENTENCES[key]
    left = prose(CASES.get(key), sentence)
    assert not CODE.search(left), f"not run: {left!r}"
    if not sentence.startswith("none") and key not in CASES:
        assert key[0] == "a keyword" and sentence.startswith("leave it out"), sentence


def test_no_case_is_of_a_hint_that_is_gone() -> None:
    assert sorted(set(CASES) - set(SENTENCES)) == []


@each_type
@pytest.mark.parametrize("key", RUN, ids=dotted)
def test_what_a_hint_writes_runs(key: tuple[str, str], dtype: Any) -> None:
    case = CASES[key]
    assert case.torch or case.holds, "neither PyTorch's way nor what must hold"
    r, _ = here(case, dtype)
    if case.holds:
        known = {"r": r, "np": np, "dtype": dtype, **names(case, dtype)}
        assert eval(case.holds, known), (case.holds, r)


@each_type
@pytest.mark.parametrize("key", BESIDE, ids=dotted)
def test_a_hint_gives_what_pytorch_gives(key: tuple[str, str], dtype: Any) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    compare(torch, CASES[key], dtype)
