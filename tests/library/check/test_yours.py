"""The faults of chapter 11: each line is in the reader's engine, and spoils it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograd_lib.check.yours import FAULTS, Fault
from autograd_lib.small.accidents.asked import SCALARS, STEPS
from autograd_lib.small.accidents.bench import ACCIDENTS
from autograd_lib.small.accidents.trial import run
from autograd_lib.small.cells import SWITCH, after, begin
from autograd_lib.small.cut import cut

RUNS = {*STEPS[: STEPS.index("numpy") + 1]} - {*SCALARS}
BEFORE = [accident for accident in ACCIDENTS if accident.step in RUNS]
UNSEEN = "off by a hundred-billionth"


def failed(fault: Fault) -> bool:
    engine = begin("choices")
    assert sys.modules["engine"] is engine
    with fault.planted():
        return fails(engine)


def fails(engine: Any) -> bool:
    """Return whether one of the accidents up to NumPy's names fails, the next first."""
    return any(run(accident, engine).status == "failed" for accident in BEFORE)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_an_accident_notices_all_but_what_is_below_each_tolerance(fault: Fault) -> None:
    assert failed(fault) == (fault.name != UNSEEN)


REWORDED = (
    ("y = tanh(x)  #", "value = tanh(x)  #"),
    ("g * (1.0 - y * y)", "g - g * value * value"),
    ("return g * exp(x)", "return exp(x) * g"),
    ("negative(g * (x / y)) / y", "negative(g / y * (x / y))"),
    ("g * (n * power(x, n - (n != 0)))", "g * n * power(x, n - 1 * (n != 0))"),
    ("matmul(g, swapaxes(y, -1, -2))", "g @ swapaxes(y, -2, -1)"),
    ("record(np.transpose, (x, transpose))", "record(lambda a: a.T, (x, transpose))"),
    ("(x, transpose)", "(x, lambda g: transpose(g))"),
    ("d = sum_copies(d, parent.shape)", "d = sum_copies(x=d, shape=parent.shape)"),
    ("a.sum((*range(front), *ones))", "np.sum(a, (*range(front), *ones))"),
    ("grads[parent] + d if parent in grads else d", "given(grads, parent, d)"),
    ("saved if create_graph else map(detach, saved)", "kept_of(saved, create_graph)"),
    ("(x, tanh_rule, x)", "(x, tanh_rule, *[x])"),
    ('array if array.dtype.kind == "f" else array.astype(float)', "as_floats(array)"),
)
MORE = """


def given(grads, v, d): return grads[v] + d if v in grads else d


def kept_of(saved, create_graph):
    return saved if create_graph else [detach(x) for x in saved]


def as_floats(a): return a if a.dtype.kind == "f" else a.astype(float)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return where a reader's file is looked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SWITCH, raising=False)
    yield tmp_path / "mine.py"
    sys.modules.pop("engine", None)


def test_a_file_in_other_words_gets_them_all(own: Path) -> None:
    text = cut("numpy") + MORE
    for old, new in REWORDED:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    own.write_text(text, encoding="utf-8")
    engine = after("numpy")
    assert engine.__name__ != "engine"
    for fault in FAULTS:
        with fault.planted():
            assert fails(engine) == (fault.name != UNSEEN), fault.name
    assert not fails(engine)


def test_the_books_function_is_refused_where_it_does_not_fit(own: Path) -> None:
    """Here a rule gets more than the book's."""
    text = cut("numpy").replace("(x, exp_rule, x)", "(x, exp_rule, x, None)")
    text = text.replace(
        "exp_rule(g, x): return g * exp(x)", "exp_rule(g, x, _): return exp(x) * g"
    )
    own.write_text(text, encoding="utf-8")
    engine = after("numpy")
    assert engine.__name__ != "engine"
    fault = next(f for f in FAULTS if f.where == "engine.exp_rule")
    with pytest.raises(
        LookupError, match=r"exp_rule does not fit in there \(TypeError"
    ):
        fault.planted()
    x = engine.Tensor(1.0, True)
    assert np.isclose(engine.grad(np.exp(x), [x])[0].item(), np.e)
