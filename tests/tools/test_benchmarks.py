"""The works of the benchmarks are right, at a size that takes no time; no timing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from benchmarks import compiled, fused, gpt
from benchmarks.machine import conditions, without_tampering
from benchmarks.tensor_engines import BY_HAND, OURS, engine
from benchmarks.tensor_page import page
from benchmarks.tensor_works import WORKS, Work, directions, prepared
from benchmarks.tensors import summary


@pytest.mark.parametrize("label", WORKS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ours_agrees_with_the_gradient_by_hand(label: str, dtype: type) -> None:
    right = WORKS[label].gradients(engine(BY_HAND), tiny=True, dtype=np.float64)
    found = WORKS[label].gradients(engine(OURS), tiny=True, dtype=dtype)
    for got, wanted in zip(found, right, strict=True):
        assert got.dtype == dtype
        far = 1e-5 if dtype is np.float32 else 1e-12
        np.testing.assert_allclose(got, wanted, rtol=0, atol=far * abs(wanted).max())


@pytest.mark.parametrize("work", WORKS.values(), ids=lambda work: work.label)
def test_the_gradient_by_hand_is_that_of_differences(work: Work) -> None:
    """Along one direction; for a Hessian times a vector the gradient is moved."""
    hand, h = engine(BY_HAND), 1e-6
    parameters, raw = work.module.data(np.float64, **work.tiny)
    ours = engine(OURS)

    def moved(by: float) -> list[np.ndarray]:
        there = [
            p + by * v for p, v in zip(parameters, directions(parameters), strict=True)
        ]
        if work.kind == "hessian":
            return work.module.by_hand(there, prepared(hand, raw))
        loss = work.module.loss(ours, list(map(Tensor, there)), prepared(ours, raw))
        return [loss.numpy()]

    found = work.gradients(hand, tiny=True, dtype=np.float64)
    if work.kind != "hessian":
        found = [
            sum(
                (g * v).sum()
                for g, v in zip(found, directions(parameters), strict=True)
            )
        ]
    for up, down, got in zip(moved(h), moved(-h), found, strict=True):
        np.testing.assert_allclose(got, (up - down) / (2 * h), rtol=1e-6, atol=1e-7)


def test_training_moves_both_alike() -> None:
    work = WORKS["MLP, one SGD step"]
    steps = [work.step(engine(name), tiny=True) for name in (BY_HAND, OURS)]
    for _ in range(3):
        by_hand, ours = (step() for step in steps)
    for p, t in zip(by_hand, ours, strict=True):
        np.testing.assert_allclose(t.data, p, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", ["compiled", "program alone"])
@pytest.mark.parametrize("label", compiled.LABELS)
def test_compiled_agrees_with_the_gradient_by_hand(label: str, name: str) -> None:
    right = WORKS[label].gradients(engine(BY_HAND), tiny=True, dtype=np.float64)
    found = WORKS[label].gradients(engine(name), tiny=True, dtype=np.float64)
    for got, wanted in zip(found, right, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-12 * abs(wanted).max())


def test_compiled_training_moves_as_by_hand() -> None:
    work = WORKS["MLP, one SGD step"]
    steps = [work.step(engine(name), tiny=True) for name in (BY_HAND, "compiled")]
    for _ in range(3):
        by_hand, ours = (step() for step in steps)
    for p, t in zip(by_hand, ours, strict=True):
        np.testing.assert_allclose(t.data, p, rtol=1e-5, atol=1e-7)


def test_compiling_pays_after_the_calls_that_save_its_time() -> None:
    row: dict[str, Any] = {
        OURS: {"median": 3e-3},
        "compiled": {"median": 1e-3, "compiling": 0.5},
        "PyTorch": {"median": 1e-3},
        "torch.compile": {"median": 2e-3, "compiling": 5.0},
    }
    assert compiled.calls_until_it_pays(row, "compiled") == "250"
    assert compiled.calls_until_it_pays(row, "torch.compile") == "never"
    row["torch.compile"] = {"missing": "is not installed"}
    assert compiled.calls_until_it_pays(row, "torch.compile") == "–"


@pytest.mark.parametrize("label", fused.pairs())
def test_an_operation_has_the_gradients_of_its_composition(label: str) -> None:
    _, operation, composition, arrays = fused.pairs()[label]
    arrays = [a.astype(float) for a in arrays]
    one, many = (fused.step_of(f, arrays)() for f in (operation, composition))
    for a, b in zip(one, many, strict=True):
        # eps and rounding of float64, in sums of up to some thousand numbers
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@pytest.mark.exhaustive
def test_pytorchs_gpt_learns_as_ours_does() -> None:
    pytest.importorskip("torch")
    steps, data = (gpt.ours(), gpt.theirs()), gpt.batches()
    for x, y in data[: gpt.COMPARED]:
        mine, other = (step(x, y).item() for step in steps)
        assert mine == pytest.approx(other, rel=gpt.TOLERANCE)


def test_a_worker_is_kept_on_one_core() -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("the system keeps no process on one core")
    code = "import os; from benchmarks.machine import pin; pin(); "
    code += "print(len(os.sched_getaffinity(0)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "1\n"


def test_what_changes_products_is_cleared_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    monkeypatch.setenv("OPENBLAS_L2_SIZE", "32768")
    assert conditions()["cleared"] == "OPENBLAS_L2_SIZE cleared"
    assert "OPENBLAS_L2_SIZE" not in without_tampering(os.environ)
    monkeypatch.delenv("OPENBLAS_L2_SIZE")
    assert "cleared" not in conditions()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("'--prefix=/usr' '--enable-optimizations'", "(built with profile-guided"),
        ("'--prefix=/usr'", "(built without profile-guided"),
        (None, "(how it was built is not known)"),
    ],
)
def test_conditions_name_how_python_was_built(
    options: str | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: options)
    assert words in conditions()["python"]


def test_a_dash_has_its_reason_on_the_page() -> None:
    ready = {name: {"missing": "is not there"} for name in ("MyGrad", "JAX")}
    ready |= {name: {"deviation": 0.0} for name in (BY_HAND, OURS)}
    ready |= {name: {"missing": "has none"} for name in ("HIPS autograd", "DeZero")}
    ready["PyTorch"] = {"deviation": 0.0}
    times = {BY_HAND: [1e-3, 2e-3], OURS: [2e-3, 3e-3], "PyTorch": [4e-3, 4e-3]}
    text = page(
        {
            "conditions": {"date": "today"},
            "rounds": 1,
            "turns": 2,
            "versions": {BY_HAND: "2"},
            "works": {"a work": summary(ready, [times])},
        }
    )
    assert "| a work | 1.50 | 1.75 | 1.75–1.75 | – | – | – | – | 3.00 |" in text
    assert "- MyGrad (all works): is not there" in text
