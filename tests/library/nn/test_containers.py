"""Parameters, buffers and containers by PyTorch's names, beside PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.engine import Tensor


def model_of(nn: Any, like: Any) -> Any:
    """Return a model as it is written for PyTorch, of one library or the other."""

    class Part(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.scale = nn.Parameter(like([1.0, 2.0]))
            self.register_buffer("seen", like([0.0]))
            self.register_buffer("nothing", None)

        def forward(self, x: Any) -> Any:
            return x * self.scale

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.h = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
            self.h.append(Part()).extend([nn.SiLU()])
            self.by = nn.ModuleDict({"one": nn.Linear(2, 1), "two": Part()})
            self.by["three"] = nn.Tanh()

        def forward(self, x: Any) -> Any:
            for layer in self.h:
                x = layer(x)
            return self.by.one(self.by["two"](x))

    return Model()


def told(model: Any) -> dict[str, Any]:
    """Return what a model says of itself that does not depend on its numbers."""
    met: list[str] = []
    assert model.apply(lambda m: met.append(type(m).__name__)) is model
    return {
        "names": [name for name, _ in model.named_parameters()],
        "state": sorted(model.state_dict()),
        "buffers": [name for name, _ in model.named_buffers()],
        "applied": met,
        "children": [name for name, _ in model.named_children()],
        "of the list": [name for name, _ in model.h.named_children()],
        "lengths": (len(model.h), len(model.h[1:3]), len(model.by)),
        "last": type(model.h[-1]).__name__,
        "keys": list(model.by) == list(model.by.keys()) == ["one", "two", "three"],
        "values": [type(m).__name__ for m in model.by.values()],
        "there": ("one" in model.by, "four" in model.by),
        "lists": [p.shape == (2,) for p in model.h[3].parameters()],
    }


def ours() -> Any:
    return model_of(nn, np.array)


def test_a_model_written_for_pytorch_has_the_same_names_and_results() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    mine, its = ours(), model_of(torch.nn, torch.tensor)
    assert told(mine) == told(its)
    its.load_state_dict({n: torch.tensor(a) for n, a in mine.state_dict().items()})
    x = np.random.default_rng(0).normal(size=(4, 2)).astype(np.float32)
    y, z = mine(x), its(torch.tensor(x))
    np.testing.assert_allclose(y.data, z.detach().numpy(), rtol=1e-5)
    y.sum().backward()
    z.sum().backward()
    for (name, p), q in zip(mine.named_parameters(), its.parameters(), strict=True):
        np.testing.assert_allclose(p.grad.data, q.grad, rtol=1e-4, err_msg=name)


def test_a_dictionary_trains_and_leaves_training_like_the_rest() -> None:
    model = ours().eval()
    assert not any(m.training for m in model.modules())
    assert list(model.by) == ["one", "two", "three"]


def test_a_parameter_copies_and_is_float32_unless_a_tensor_is_not() -> None:
    numbers = np.ones(3)
    p = nn.Parameter(numbers)
    numbers[0] = 5
    assert (p.tolist(), p.dtype, p.is_leaf) == ([1, 1, 1], np.float32, True)
    w = Tensor(2.0, requires_grad=True) * 3
    assert nn.Parameter(w).is_leaf and nn.Parameter(w).dtype == np.float64
    assert nn.Parameter([1, 2], dtype=float).dtype == np.float64
    assert not nn.Parameter(numbers, requires_grad=False).requires_grad


def test_a_buffer_is_the_tensor_itself_and_a_list_may_be_empty() -> None:
    model, kept = nn.Module(), Tensor([1.0])
    model.register_buffer("kept", kept)
    assert [b is kept for b in model.buffers()] == [True]
    assert len(nn.ModuleList()) == len(nn.ModuleDict()) == 0


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (lambda: nn.ModuleList([3]), TypeError, "ModuleList: item 0 must be a module, su"),
    (lambda: nn.ModuleList().append(nn.ReLU), TypeError, "item 0 must be a module"),
    (lambda: nn.Sequential([nn.ReLU()]), TypeError, r"list of modules is given as \*"),
    (lambda: nn.ModuleDict({"a": 3}), TypeError, "ModuleDict: a must be a module, got"),
    (lambda: nn.ModuleDict({"items": nn.ReLU()}), KeyError, "'items' is what a Modul"),
    (lambda: nn.ModuleDict()["a"], KeyError, "a"),
    (lambda: nn.Parameter([1], dtype=int), TypeError, "Parameter: dtype must be a fl"),
    (
        lambda: nn.Module().register_buffer("b", Tensor(1.0, requires_grad=True)),
        ValueError,
        r"register_buffer: b, of shape \(\), requires a gradient",
    ),
]


@pytest.mark.parametrize(("wrong", "error", "message"), REFUSED)
def test_what_is_wrong_is_named(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_a_list_that_refuses_one_module_keeps_what_it_had() -> None:
    modules = nn.ModuleList([nn.ReLU()])
    with pytest.raises(TypeError, match="item 2 must be a module"):
        modules.extend([nn.ReLU(), 3])
    assert len(modules) == 1
