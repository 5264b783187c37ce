"""Layers, losses, initialisation and optimisers beside PyTorch's, to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib import nn, optim, tree
from autograd_lib.engine import Tensor
from tests.library.operations.case import normal

torch = pytest.importorskip(
    "torch",
    reason="PyTorch is not installed, so layers are not compared with it here; "
    "pip install torch==2.13.0",
)
F = torch.nn.functional


def numbers(x: Any) -> Any:
    return x.detach().numpy()


def give(module: Any, theirs: Any) -> None:
    """Give PyTorch's module the state of ours."""
    state = {name: torch.from_numpy(a) for name, a in module.state_dict().items()}
    found = theirs.load_state_dict(state, strict=False)
    assert found.unexpected_keys == []
    assert all(name.endswith("num_batches_tracked") for name in found.missing_keys)


LAYERS = {
    "linear": (nn.Linear(4, 3, rng=0), lambda: torch.nn.Linear(4, 3), (5, 4)),
    "linear of a batch": (
        nn.Linear(4, 3, rng=0),
        lambda: torch.nn.Linear(4, 3),
        (2, 5, 4),
    ),
    "without bias": (
        nn.Linear(4, 3, bias=False, rng=0),
        lambda: torch.nn.Linear(4, 3, bias=False),
        (5, 4),
    ),
    "layer norm": (nn.LayerNorm(4), lambda: torch.nn.LayerNorm(4), (5, 4)),
    "layer norm of two axes": (
        nn.LayerNorm((3, 4), eps=0.1),
        lambda: torch.nn.LayerNorm((3, 4), eps=0.1),
        (5, 3, 4),
    ),
    "batch norm": (nn.BatchNorm(4), lambda: torch.nn.BatchNorm1d(4), (5, 4)),
    "batch norm of rows": (
        nn.BatchNorm(3, momentum=0.3),
        lambda: torch.nn.BatchNorm1d(3, momentum=0.3),
        (5, 3, 4),
    ),
    "batch norm of pictures": (
        nn.BatchNorm(3, eps=0.01),
        lambda: torch.nn.BatchNorm2d(3, eps=0.01),
        (5, 3, 4, 2),
    ),
    "model": (
        nn.Sequential(
            nn.Flatten(), nn.Linear(12, 5, rng=0), nn.BatchNorm(5), nn.Tanh(),
            nn.Linear(5, 4, rng=1), nn.GELU(), nn.LayerNorm(4), nn.SiLU(), nn.Sigmoid(),
        ),
        lambda: torch.nn.Sequential(
            torch.nn.Flatten(), torch.nn.Linear(12, 5), torch.nn.BatchNorm1d(5),
            torch.nn.Tanh(), torch.nn.Linear(5, 4), torch.nn.GELU(),
            torch.nn.LayerNorm(4), torch.nn.SiLU(), torch.nn.Sigmoid(),
        ),
        (6, 3, 4),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("ours", "make", "shape"), LAYERS.values(), ids=list(LAYERS))
def test_a_layer_is_pytorchs(ours: Any, make: Any, shape: tuple[int, ...]) -> None:
    theirs, weights = make(), None
    give(ours, theirs)
    for mode in (True, True, False):
        ours.train(mode)
        theirs.train(mode)
        x = normal(*shape).astype(np.float32)
        mine, its = Tensor(x, True), torch.tensor(x, requires_grad=True)
        y, z = ours(mine), theirs(its)
        np.testing.assert_allclose(y.data, numbers(z), rtol=1e-5, atol=1e-5)
        weights = normal(*y.shape).astype(np.float32)
        ours.zero_grad()
        theirs.zero_grad()
        (y * weights).sum().backward()
        (z * torch.from_numpy(weights)).sum().backward()
        np.testing.assert_allclose(mine.grad.data, its.grad, rtol=1e-4, atol=1e-5)
        gradients = dict(theirs.named_parameters())
        for name, p in ours.named_parameters():
            expected = gradients[name].grad
            np.testing.assert_allclose(p.grad.data, expected, rtol=1e-4, atol=1e-5)
        for name, b in ours.named_buffers():
            expected = theirs.state_dict()[name]
            np.testing.assert_allclose(b.data, expected, rtol=1e-5, atol=1e-6)


def test_an_embedding_is_pytorchs() -> None:
    ours, theirs = nn.Embedding(5, 3, rng=0), torch.nn.Embedding(5, 3)
    give(ours, theirs)
    ids = np.array([[1, 4, 1], [0, 0, 0]])
    ours(ids).square().sum().backward()
    theirs(torch.from_numpy(ids)).square().sum().backward()
    np.testing.assert_allclose(ours.weight.grad.data, theirs.weight.grad, rtol=1e-6)


LOSSES = {
    "cross_entropy": (nn.cross_entropy, F.cross_entropy, (6, 4), np.arange(6) % 4),
    "mse_loss": (nn.mse_loss, F.mse_loss, (6, 4), normal(6, 4) + 1),
    "binary": (
        nn.binary_cross_entropy_with_logits,
        F.binary_cross_entropy_with_logits,
        (6,),
        np.linspace(0, 1, 6),
    ),
}


@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize(
    ("ours", "theirs", "shape", "target"), LOSSES.values(), ids=list(LOSSES)
)
def test_a_loss_is_pytorchs(
    ours: Any, theirs: Any, shape: Any, target: Any, scale: float
) -> None:
    x = scale * normal(*shape)
    mine, its = Tensor(x, True), torch.tensor(x, requires_grad=True)
    y, z = ours(mine, target), theirs(its, torch.from_numpy(target))
    y.backward()
    z.backward()
    assert y.item() == pytest.approx(z.item(), rel=1e-12)
    np.testing.assert_allclose(mine.grad.data, its.grad, rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("options", [
    {}, {"ignore_index": 2}, {"label_smoothing": 0.25},
    {"ignore_index": -1, "label_smoothing": 1}, {"ignore_index": -100},
])  # fmt: skip
def test_options_of_cross_entropy_are_pytorchs(reduction: str, options: Any) -> None:
    labels = np.array([[0, 2, 3], [2, 1, -1]])
    if options.get("ignore_index") != -1:
        labels[1, 2] = 0
    x, weights = normal(2, 3, 4), normal(2, 3) if reduction == "none" else 1.0
    mine, its = Tensor(x, True), torch.tensor(x, requires_grad=True)
    y = nn.cross_entropy(mine, labels, reduction=reduction, **options)
    z = F.cross_entropy(
        its.reshape(6, 4), torch.from_numpy(labels.ravel()), reduction=reduction,
        **options,
    )  # fmt: skip
    assert y.shape == ((2, 3) if reduction == "none" else ())
    np.testing.assert_allclose(y.data.ravel(), numbers(z).ravel(), rtol=1e-12)
    (y * weights).sum().backward()
    (z * torch.tensor(weights).ravel()).sum().backward()
    np.testing.assert_allclose(mine.grad.data, its.grad, rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", ["mse_loss", "binary_cross_entropy_with_logits"])
def test_reductions_are_pytorchs(name: str, reduction: str) -> None:
    x, target = normal(3, 4), np.linspace(0, 1, 12).reshape(3, 4)
    y = getattr(nn, name)(Tensor(x), target, reduction=reduction)
    z = getattr(F, name)(torch.tensor(x), torch.from_numpy(target), reduction=reduction)
    np.testing.assert_allclose(y.data, z, rtol=1e-12)


OPTIMISERS: dict[str, tuple[str, dict[str, Any]]] = {
    "SGD": ("SGD", {"lr": 0.1}),
    "decay": ("SGD", {"lr": 0.1, "weight_decay": 0.1}),
    "momentum": ("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.1}),
    "Nesterov": ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    "Adam": ("Adam", {"lr": 0.1}),
    "Adam with all": (
        "Adam",
        {"lr": 0.1, "betas": (0.8, 0.9), "eps": 1e-3, "weight_decay": 0.1},
    ),
    "AdamW": ("AdamW", {"lr": 0.1}),
    "AdamW with all": ("AdamW", {"lr": 0.1, "betas": (0.5, 0.9), "weight_decay": 0.5}),
}


@pytest.mark.parametrize(("kind", "options"), OPTIMISERS.values(), ids=list(OPTIMISERS))
def test_an_optimisers_steps_are_pytorchs(kind: str, options: dict[str, Any]) -> None:
    start, late = normal(4, 3), normal(2)
    mine = [Tensor(a, True) for a in (start, late)]
    its = [torch.tensor(a, requires_grad=True) for a in (start, late)]
    ours = getattr(optim, kind)(mine, **options)
    theirs = getattr(torch.optim, kind)(its, **options)
    for step in range(8):
        ours.zero_grad()
        theirs.zero_grad()
        if step == 5:
            ours.lr = theirs.param_groups[0]["lr"] = 0.03
        for a, b in (mine, its):
            loss = ((a - 1) ** 4).sum()
            loss = loss + (b * b).sum() if step > 2 else loss
            loss.backward()
        if step % 2:
            norm = optim.clip_grad_norm(mine, 2.0)
            expected = torch.nn.utils.clip_grad_norm_(its, 2.0)
            assert norm == pytest.approx(expected.item(), rel=1e-5)
        ours.step()
        theirs.step()
        for a, b in zip(mine, its, strict=True):
            np.testing.assert_allclose(a.data, numbers(b), rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW"])
def test_groups_and_their_schedule_are_pytorchs(kind: str) -> None:
    start = [normal(4, 3), normal(2)]
    mine = [Tensor(a, True) for a in start]
    its = [torch.tensor(a, requires_grad=True) for a in start]
    found = []
    for library, (a, b) in ((optim, mine), (torch.optim, its)):
        groups = [{"params": [a], "weight_decay": 0.5}, {"params": b, "lr": 0.03}]
        optimizer = getattr(library, kind)(groups, lr=0.1)
        kinds = library if library is optim else torch.optim.lr_scheduler
        schedule = kinds.LambdaLR(optimizer, lambda step: 0.9**step)
        for step in range(8):
            optimizer.zero_grad()
            (((a - 1) ** 2).sum() + (b * b).sum()).backward()
            if step == 5:
                optimizer.param_groups[0]["weight_decay"] = 0.25
            optimizer.step()
            schedule.step()
        found.append((schedule.get_last_lr(), a.detach(), b.detach()))
    for x, y in zip(*found, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-6, atol=2e-6)


def test_a_model_with_other_numbers_is_pytorchs_functional_call() -> None:
    ours, theirs = nn.Linear(4, 3, rng=0), torch.nn.Linear(4, 3)
    before, x = ours.state_dict(), normal(5, 4)
    new = {"weight": Tensor(normal(3, 4)), "bias": Tensor(normal(3))}
    y = tree.map(lambda _, number: number, ours, new)(x)
    state = {name: torch.from_numpy(t.data) for name, t in new.items()}
    z = torch.func.functional_call(theirs, state, (torch.from_numpy(x),))
    np.testing.assert_allclose(y.data, z.detach(), rtol=1e-12)
    assert all((a == before[name]).all() for name, a in ours.state_dict().items())


def test_one_cosine_is_pytorchs() -> None:
    p = torch.zeros(1, requires_grad=True)
    theirs = torch.optim.SGD([p], lr=1.0)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(theirs, 20, eta_min=0.1)
    factor = optim.warmup_cosine(0, 20, last=0.1)
    for step in range(20):
        assert factor(step) == pytest.approx(theirs.param_groups[0]["lr"])
        theirs.step()
        schedule.step()


def test_a_linear_layer_begins_as_pytorchs_does() -> None:
    bound = 1 / np.sqrt(50)
    torch.manual_seed(0)  # of 40 numbers all are below 0.9 in one draw of 68
    theirs = torch.nn.Linear(50, 40)
    for layer in (nn.Linear(50, 40, rng=0), theirs):
        for p in layer.parameters():
            assert 0.9 * bound < abs(p.detach().numpy()).max() <= bound


@pytest.mark.parametrize("name", ["linear", "sigmoid", "tanh", "relu", "leaky_relu"])
def test_gains_are_pytorchs(name: str) -> None:
    theirs = torch.nn.init.calculate_gain(name)
    assert nn.init.calculate_gain(name) == pytest.approx(theirs)
