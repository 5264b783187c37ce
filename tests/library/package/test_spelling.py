"""Names of PyTorch, JAX and NumPy that are not here lead to what to write."""

from __future__ import annotations

import importlib
import re
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn, optim
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.spelling import sentences

PLACES = {"a module": nn.Module, "an optimiser": optim.Optimizer}
ALL = [
    (place, name)
    for place, names in sentences().items()
    for name in names
    if place not in ("a keyword", "a tensor")
]


def place_of(name: str) -> Any:
    return PLACES.get(name) or importlib.import_module(name)


@pytest.mark.parametrize(("place", "name"), ALL)
def test_a_name_is_missing_and_says_what_to_write(place: str, name: str) -> None:
    with pytest.raises(
        AttributeError, match=rf"has no '{name}'; (write|there is none)"
    ):
        getattr(place_of(place), name)


def test_a_name_of_numpy_leads_to_it_and_an_unknown_one_to_all() -> None:
    with pytest.raises(
        AttributeError, match=r"has no 'einsum'; write np.einsum; NumPy"
    ):
        _ = ag.einsum  # type: ignore[attr-defined]
    with pytest.raises(
        AttributeError, match="has no 'frobnicate'; it has Value, Tensor"
    ):
        _ = ag.frobnicate  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="optim has no 'Frob'; it has SGD, Adam"):
        getattr(optim, "Frob")  # noqa: B009


def test_a_module_may_have_such_a_name_and_does_not_list_the_others() -> None:
    class Own(nn.Module):
        def cpu(self) -> int:
            return 3

    model = Own()
    model.half = 0.5  # type: ignore[attr-defined]
    assert model.cpu() == 3
    assert model.half == 0.5  # type: ignore[attr-defined]
    assert "half" in dir(model) and "double" not in dir(model)
    assert not hasattr(model, "double")


def test_grad_of_a_function_or_of_nothing_says_what_to_call() -> None:
    with pytest.raises(
        TypeError, match=r"as a function, is autograd_lib.functional.grad"
    ):
        ag.grad(lambda x: x)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="inputs is a tensor, or a list"):
        ag.grad(Tensor(1.0, requires_grad=True))


def test_two_axes_for_transpose_lead_to_swapaxes() -> None:
    with pytest.raises(ValueError, match=r"t.swapaxes\(-2, -1\)"):
        Tensor(np.ones((2, 3, 4))).transpose(-2, -1)


LEAF = Tensor([1.0], True)
X, STATE = Tensor(np.ones((2, 2))), nn.Linear(1, 1).state_dict()
KEYWORDS: list[tuple[Any, str]] = [
    (lambda: nn.mse_loss(X, X, size_average=False), "size_average=; reduction="),
    (
        lambda: nn.Linear(1, 1).load_state_dict(STATE, strict=False),
        "for a part of a st",
    ),
    (lambda: ag.checkpoint(np.exp, X, use_reentrant=False), "use_reentrant=; leave it"),
    (
        lambda: optim.SGD(nn.Linear(1, 1).parameters()).zero_grad(set_to_none=True),
        "SGD.zero_grad: takes no set_to_none=; leave it out",
    ),
    (lambda: nn.mse_loss(X, X, wait=1), "takes no wait=; see its docstring"),
    (lambda: optim.AdamW([LEAF], amsgrad=True), "AdamW: takes no amsgrad=; leave"),
    (lambda: optim.SGD([LEAF], dampening=0), "SGD: takes no dampening=; leave it out"),
    (
        lambda: optim.clip_grad_norm([LEAF], 1, norm_type=2),
        "clip_grad_norm: takes no norm_type=; leave it out: it is 2",
    ),
    (lambda: ag.data.batches(9, 2, shuffle=True), "batches: takes no shuffle=; rng="),
    (lambda: nn.MaxPool2d(2, ceil_mode=True), "MaxPool2d: takes no ceil_mode=; leave"),
    (lambda: nn.Conv2d(1, 1, 3, padding_mode="reflect"), "Conv2d: takes no padding_m"),
    (
        lambda: nn.Embedding(3, 2, padding_idx=0),
        "Embedding: takes no padding_idx=; np.",
    ),
    (lambda: nn.Upsample(size=(7, 9)), "Upsample: takes no size=; scale_factor="),
    (lambda: nn.Dropout(0.5, inplace=True), "Dropout: takes no inplace=; leave it out"),
    (
        lambda: nn.conv_transpose2d(X, X, dilation=2),
        "conv_transpose2d: takes no dilation=; leave it out: it is 1",
    ),
]


@pytest.mark.parametrize(("call", "message"), KEYWORDS)
def test_a_keyword_of_pytorch_says_what_to_write(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        call()


def test_a_keyword_that_is_nowhere_or_within_leads_to_what_is_taken() -> None:
    class Own(nn.Module):
        def __init__(self, size: int) -> None:
            self.inner = nn.Linear(size, size, dilation=2)  # type: ignore[call-arg]

    for call, said in (
        (
            lambda: nn.Linear(1, 1, frob=2),
            "Linear: takes no frob=; it takes in_features",
        ),
        (lambda: Own(1, dilation=2), "Own.__init__() got an unexpected"),
        (lambda: Own(1), "Linear: takes no dilation="),
        (lambda: optim.SGD([LEAF], dilation=1, lr=1), "SGD: takes no dilation="),
    ):
        with pytest.raises(TypeError, match=re.escape(said)):
            call()


def test_betas_are_two_numbers() -> None:
    for betas in (0.9, (0.9,), (0.9, 0.99, 0.999)):
        with pytest.raises(
            TypeError, match=r"^Adam: betas are two .*\(0.9, 0.999\), got"
        ):
            optim.Adam([LEAF], betas=betas)  # type: ignore[arg-type]


def test_a_filter_that_keeps_the_size_is_padded_by_a_number() -> None:
    with pytest.raises(TypeError, match=r"'same'; with a stride of 1 .*size // 2"):
        nn.Conv2d(3, 6, 5, padding="same")  # type: ignore[arg-type]
