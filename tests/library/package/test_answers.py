"""Habits from PyTorch, JAX and HIPS are answered, however they are asked."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn, optim
from autograd_lib.engine import Tensor

A = np.arange(1.0, 7.0).reshape(2, 3)
IMPORTS = {
    "from autograd_lib.nn import LSTM": "no 'LSTM'; there is none: a loop",
    "from autograd_lib.nn import Conv1d, Linear": "no 'Conv1d'; write nn.Conv2d",
    "from autograd_lib.nn.functional import elu": "no 'elu'; write nn.elu",
    "from autograd_lib.nn.init import eye_": "no 'eye_'; write p.data",
    "from autograd_lib.nn.utils import clip_grad_norm_": "no 'utils'; write optim.cli",
    "from autograd_lib.optim import RMSprop": "no 'RMSprop'; there is none: a subcl",
    "from autograd_lib.optim.lr_scheduler import StepLR": "'lr_scheduler'; write opti",
    "from autograd_lib.data import DataLoader": "no 'DataLoader'; write for x, y in",
    "from autograd_lib.functional import jvp": "no 'jvp'; write ag.jvp",
    "from autograd_lib.utils.data import Dataset": "no 'utils'; write ag.checkpoint",
    "from autograd_lib.autograd import Function": "no 'autograd'; write ag.grad",
    "from autograd_lib import vmap": "no 'vmap'; there is none: functions of tensors",
    "from autograd_lib import no_such_name": "no 'no_such_name'; it has Value, Tens",
    "import autograd_lib.cuda": "no 'cuda'; there is none: all arrays",
}


@pytest.mark.parametrize("line", IMPORTS)
def test_an_import_says_what_an_attribute_says(line: str) -> None:
    with pytest.raises(ImportError, match=re.escape(IMPORTS[line])):
        exec(line)


def test_what_is_there_is_imported_and_found() -> None:
    exec("from autograd_lib.engine import Function, Tensor")
    exec("from autograd_lib.nn import Linear, functional")
    assert ag.parallel.__name__ == "autograd_lib.parallel"  # type: ignore[attr-defined]
    assert not hasattr(ag, "no_such_name") and not hasattr(nn, "LSTM")
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'autograd_lib\.fr"):
        exec("import autograd_lib.frob")


LEAF = Tensor([1.0], requires_grad=True)
UNKNOWN: dict[str, tuple[Callable[[], Any], str]] = {
    "Linear(device=)": (lambda: nn.Linear(1, 1, device="cpu"), "Linear: takes no dev"),
    "Linear(frob=)": (
        lambda: nn.Linear(1, 1, frob=2),  # type: ignore[call-arg]
        "Linear: takes no frob=; it takes in_features, out_features, bias=True, rng=N",
    ),
    "Linear(1)": (lambda: nn.Linear(1), "Linear: missing 1 required positional argume"),  # type: ignore[call-arg]
    "Linear(1, 1, True, 2)": (
        lambda: nn.Linear(1, 1, True, 2),  # type: ignore[misc]
        "Linear: takes from 3 to 4 positional arguments but 5 were given; it takes in_",
    ),
    "AdamW(fused=)": (lambda: optim.AdamW([LEAF], fused=True), "AdamW: takes no fused"),
    "SGD(maximize=)": (lambda: optim.SGD([LEAF], maximize=True), "(-loss).backward()"),
    "tensor(device=)": (
        lambda: ag.tensor(1.0, device="cpu"),
        "tensor: takes no device",
    ),
    "compile(mode=)": (
        lambda: ag.compile(abs, mode="x"),
        "compile: takes no mode=; le",
    ),
    "compile(static_argnums=)": (
        lambda: ag.compile(abs, static_argnums=1),
        "takes no static_argnums=; leave it out: Python numbers",
    ),
    "grad(is_grads_batched=)": (
        lambda: ag.grad(LEAF, LEAF, is_grads_batched=True),
        "grad: takes no is_grads_batched=; [ag.grad",
    ),
    "functional.grad(argnum=)": (
        lambda: ag.functional.grad(abs, argnum=1),
        "grad: takes no argnum=; argnums=, a number or",
    ),
    "gradcheck(eps=)": (
        lambda: ag.gradcheck(abs, 1.0, eps=1e-6),
        "gradcheck: takes no eps=; leave it out: the step",
    ),
    "ReLU(inplace=)": (lambda: nn.ReLU(inplace=True), "ReLU: takes no inplace=; leave"),
    "ReLU(1)": (lambda: nn.ReLU(1), "ReLU: takes no arguments, got (1,)"),
    "Embedding(sparse=)": (
        lambda: nn.Embedding(2, 2, sparse=True),
        "Embedding: takes no sparse=; leave it out: a gradient is dense",
    ),
    "MaxPool2d(return_indices=)": (
        lambda: nn.MaxPool2d(2, return_indices=True),
        "takes no return_indices=; leave it out",
    ),
    "AvgPool2d(divisor_override=)": (
        lambda: nn.AvgPool2d(2, divisor_override=3),
        "takes no divisor_override=; nn.avg_pool2d(x, size) * (",
    ),
    "zero_grad(set_to_none=)": (
        lambda: nn.ReLU().zero_grad(set_to_none=True),
        "ReLU.zero_grad: takes no set_to_none=; leave it out",
    ),
    "Sequential(dict)": (
        lambda: nn.Sequential({"a": nn.ReLU()}),
        "write Sequential(*layers.values())",
    ),
    "step(closure)": (
        lambda: optim.SGD([LEAF]).step(lambda: 0),
        "SGD.step: takes no closure, since each step is made of one gradient; call",
    ),
    "LambdaLR.step(loss)": (
        lambda: optim.LambdaLR(optim.SGD([LEAF]), lambda _: 1.0).step(0.5),
        "LambdaLR.step: takes nothing",
    ),
    "t.size(1)": (lambda: LEAF.size(1), "t.size(1) of PyTorch is t.shape[1] here"),  # type: ignore[operator]
    "t.size()": (lambda: LEAF.size(), "t.size() of PyTorch is t.shape here"),  # type: ignore[operator]
    "t.sum(0, True)": (lambda: LEAF.sum(0, True), "sum: got True after the axis, whe"),
    "t.mean(0, True)": (lambda: LEAF.mean(0, True), "write keepdims=True"),
    "t.max(0, True)": (lambda: LEAF.max(0, True), "max: got True after the axis"),  # type: ignore[arg-type]
    "t.argmax(0, True)": (lambda: LEAF.argmax(0, True), "write keepdims=True"),
    "np.r_": (lambda: np.r_[LEAF, LEAF], "np.concatenate joins tensors"),
    "array += t": (
        lambda: np.zeros(1).__iadd__(LEAF),
        "array += t, or its like, would write into an array, which has no gradient",
    ),
}


@pytest.mark.parametrize("habit", UNKNOWN)
def test_a_habit_is_answered(habit: str) -> None:
    call, message = UNKNOWN[habit]
    with pytest.raises(TypeError, match=re.escape(message)):
        call()


def test_size_is_a_number_otherwise() -> None:
    n = Tensor(A).size
    assert (n, n + 1, f"{n:,}", repr(n), list(range(n))[-1]) == (6, 7, "6", "6", 5)
    assert type(n) is int and np.zeros(n).shape == (6,)
    w = nn.Parameter(A)
    assert (w.sum() / w.size).dtype == (w.data / w.size).dtype == np.float32
    assert getattr(w, "size") == 6  # noqa: B009
    assert list(map(max, [w.size], [3])) == [6]


def test_methods_of_ufuncs_are_operations() -> None:
    for of_ufunc in (
        lambda t: np.add.reduce(t),
        lambda t: np.multiply.reduce(t, axis=1),
        lambda t: np.maximum.reduce(t, axis=0),
        lambda t: np.minimum.reduce(t, 1),
        lambda t: np.add.accumulate(t, axis=1),
        lambda t: np.multiply.accumulate(t),
        lambda t: np.multiply.outer(t[0], t),
        lambda t: np.subtract.outer(t, t[1]),
    ):
        x = Tensor(A, requires_grad=True)
        y = of_ufunc(x)
        np.testing.assert_allclose(y.data, of_ufunc(A))
        assert y.requires_grad
    x = Tensor(A, requires_grad=True)
    (found,) = ag.grad(np.multiply.outer(x[0], np.add.reduce(x)).sum(), x)
    expected = np.array([[A.sum()], [0.0]]) + A[0].sum()
    np.testing.assert_allclose(found.data, np.broadcast_to(expected, A.shape))


def test_what_is_written_for_other_methods_of_ufuncs_is_right() -> None:
    x, pairs = Tensor(A, requires_grad=True), [(0, 1), (1, 2)]
    for call, code in (
        (lambda t: np.logaddexp.reduce(t), "functools.reduce(f, t)"),
        (
            lambda t: np.maximum.accumulate(t),
            "np.stack(list(itertools.accumulate(t, f)))",
        ),
        (
            lambda t: np.add.reduceat(t, [0, 1]),
            "np.stack([functools.reduce(f, t[i:j]) for i, j in pairs])",
        ),
    ):
        with pytest.raises(NotImplementedError, match=re.escape(code)) as caught:
            call(x)
        f = eval(str(caught.value).rpartition("f = ")[2])
        own = {"t": x, "f": f, "np": np, "itertools": itertools, "pairs": pairs}
        found = eval(code.replace("functools.", ""), {**own, "reduce": reduce})
        np.testing.assert_allclose(found.data, call(A))
    np.testing.assert_allclose(x.logsumexp(0).data, np.logaddexp.reduce(A))


def test_a_leaf_passes_for_a_parameter() -> None:
    model = nn.Sequential(nn.Linear(2, 1), nn.BatchNorm(1))
    parts = dict(model.named_parameters()) | dict(model.named_buffers())
    found = {name: isinstance(t, nn.Parameter) for name, t in parts.items()}  # type: ignore[arg-type]
    assert {k for k, is_one in found.items() if not is_one} == {
        "1.running_mean",
        "1.running_var",
    }
    assert not isinstance(LEAF * 2, nn.Parameter)  # type: ignore[arg-type]
    assert type(nn.Parameter([1.0])) is Tensor


def test_layers_are_replaced_in_place_and_axes_merged() -> None:
    model = nn.Sequential(nn.Linear(2, 3, rng=0), nn.ReLU())
    model[-1] = nn.Tanh()
    assert type(model[1]) is nn.Tanh
    with pytest.raises(TypeError, match="item 0 must be a module"):
        model[0] = 3
    x = np.ones((2, 3, 4, 5))
    for axes in ((0, 1), (1, 2), (2, -1), (-3, -2)):
        torch = pytest.importorskip("torch")
        want = torch.nn.Flatten(*axes)(torch.tensor(x)).shape
        assert nn.Flatten(*axes)(x).shape == tuple(want)
    with pytest.raises(ValueError, match=r"Flatten\(2, 1\): has no such axes"):
        nn.Flatten(2, 1)(x)


def test_states_within_a_state_are_kept(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Linear(2, 1, rng=0))
    adam = optim.Adam(model.parameters())
    schedule = optim.LambdaLR(adam, optim.warmup_cosine(2, 9))
    schedule.step()
    nn.save(
        {"model": model, "opt": adam.state_dict(), "plan": schedule, "epoch": 3},
        tmp_path / "all.npz",
    )
    state = nn.load(tmp_path / "all.npz")
    assert sorted(state) == ["epoch", "model", "opt", "plan"]
    assert int(state["epoch"]) == 3
    for own, name in ((model, "model"), (adam, "opt"), (schedule, "plan")):
        own.load_state_dict(state[name])  # type: ignore[attr-defined]
        again = own.state_dict()  # type: ignore[attr-defined]
        assert all(np.array_equal(a, state[name][k]) for k, a in again.items())
    with pytest.raises(ValueError, match="'a//b', since // stands between"):
        nn.save({"a//b": A}, tmp_path / "wrong.npz")


def test_who_asks_for_an_array_is_named_with_what_to_write() -> None:
    x, rng = Tensor(A, requires_grad=True), np.random.default_rng(0)
    for call, code in (
        (lambda: rng.normal(x, 2.0), "mean + std * rng.normal(size=mean.shape)"),
        (lambda: rng.uniform(x, 9.0), "low + (high - low) * rng.random(low.shape)"),
        (lambda: rng.exponential(x), "scale * rng.exponential(size=scale.shape)"),
    ):
        with pytest.raises(TypeError, match=re.escape(f"write {code}")):
            call()
        own = {"mean": x, "std": 2.0, "low": x, "high": 9.0, "scale": x, "rng": rng}
        drawn = eval(code, own)
        assert drawn.shape == A.shape and drawn.requires_grad
    again = np.random.default_rng(5)
    drawn = eval("low + (high - low) * rng.random(low.shape)", own | {"rng": again})
    expected = np.random.default_rng(5).random(A.shape) * (9 - A) + A
    np.testing.assert_allclose(drawn.data, expected)


def test_functions_of_scipy_that_take_no_tensor_are_named() -> None:
    linalg = pytest.importorskip("scipy.linalg", reason="SciPy is not installed")
    special = pytest.importorskip("scipy.special")
    lower = np.array([[2.0, 0.0], [3.0, 4.0]])
    a, b = Tensor(lower, requires_grad=True), np.array([1.0, 2.0])
    with pytest.raises(TypeError, match=r"scipy: solve_triangular: .* np.linalg.solve"):
        linalg.solve_triangular(a, b, lower=True)
    own = {"a": a, "b": b, "np": np, "t": a}
    np.testing.assert_allclose(
        eval("np.linalg.solve(np.tril(a), b)", own).data,
        linalg.solve_triangular(lower, b, lower=True),
    )
    with pytest.raises(TypeError, match=r"scipy: logsumexp: .*t.logsumexp\(axis\)"):
        special.logsumexp(a)
    np.testing.assert_allclose(
        eval("t.logsumexp(axis)", {**own, "axis": 1}).data, special.logsumexp(lower, 1)
    )
    with pytest.raises(TypeError, match=r"scipy: expm: .* functions of numpy.linalg"):
        linalg.expm(a)
