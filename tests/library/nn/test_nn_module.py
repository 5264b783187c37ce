"""Modules: what is found in them, in what order and by which name; copies, state."""

from __future__ import annotations

import ast
import copy
import pickle
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.engine import Tensor
from autograd_lib.nn.dropout import Dropout
from autograd_lib.nn.layers import Linear, ReLU, Sequential
from autograd_lib.nn.module import Module
from autograd_lib.nn.normalization import BatchNorm
from notebooks.notebook import ROOT


class Everything(Module):
    """A module that keeps things in every way."""

    def __init__(self) -> None:
        self.single = Tensor(2.0, requires_grad=True)
        self.layers = [Linear(2, 3, rng=0), (ReLU(), Linear(3, 2, rng=1))]
        self.named = {"a": Tensor([1.0], requires_grad=True), "b": BatchNorm(2)}
        self.constant = Tensor([1.0, 2.0])
        self.array = np.ones(3)
        self.again = self.layers[0]
        self.parent = self  # a circle
        self.words = "words"

    def forward(self, x: Any) -> Any:
        return self.layers[1][1](self.layers[0](x)) * self.single


def pickled(module: Module) -> Any:
    return pickle.loads(pickle.dumps(module))


NAMES = [
    "single",
    *("layers.0.weight", "layers.0.bias", "layers.1.1.weight", "layers.1.1.bias"),
    *("named.a", "named.b.weight", "named.b.bias"),
]


def numbers(module: Module) -> dict[str, list[float]]:
    return {name: a.tolist() for name, a in module.state_dict().items()}


def test_parameters_are_found_once_in_the_order_of_attributes() -> None:
    model = Everything()
    assert [name for name, _ in model.named_parameters()] == NAMES
    assert [p.shape for p in model.parameters()][:3] == [(), (3, 2), (3,)]


def test_what_needs_no_gradient_is_a_buffer() -> None:
    model = Everything()
    buffers = ["named.b.running_mean", "named.b.running_var", "constant"]
    assert [name for name, _ in model.named_buffers()] == buffers
    assert list(model.state_dict()) == [*NAMES, *buffers]
    model.single.requires_grad_(False)  # frozen, it stays a parameter
    assert "single" in dict(model.named_parameters())
    assert "single" in model.state_dict()


def test_what_an_operation_made_is_neither() -> None:
    model = Everything()
    model.last = model(np.ones((4, 2), np.float32))  # type: ignore[attr-defined]
    assert "last" not in model.state_dict()


def test_a_leaf_that_was_lost_in_an_operation_is_told() -> None:
    class Scaled(Module):
        def __init__(self) -> None:
            self.line = Linear(3, 2, rng=0)
            self.w = Tensor(np.ones(3), requires_grad=True) * 0.02

    with pytest.warns(UserWarning, match=r"Scaled: w, of shape \(3,\), was made by an"):
        assert len(list(Scaled().parameters())) == 2


@pytest.mark.filterwarnings("error")
def test_a_result_that_a_module_keeps_is_not() -> None:
    model = Everything()
    model.last = model(np.ones((4, 2), np.float32))  # type: ignore[attr-defined]
    before = len(list(model.parameters()))
    model.last.sum().backward()  # type: ignore[attr-defined]
    assert len(list(model.parameters())) == before  # and of a freed graph


def test_modules_are_found_with_their_names() -> None:
    names = ["", "layers.0", "layers.1.0", "layers.1.1", "named.b"]
    assert [name for name, _ in Everything().named_modules()] == names


def test_a_shared_parameter_is_listed_once() -> None:
    model = Sequential(Linear(3, 3, rng=0), Linear(3, 3, rng=1))
    model[1].weight = model[0].weight
    assert list(model.state_dict()) == ["0.weight", "0.bias", "1.bias"]
    model(np.ones((1, 3), np.float32)).sum().backward()
    both = model[0].weight.grad.data
    assert both.shape == (3, 3)
    assert len(list(model.parameters())) == 3


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_a_copy_shares_what_was_shared_and_nothing_with_the_original(
    copied: Any,
) -> None:
    model = Sequential(Linear(3, 3, rng=0), Linear(3, 3, rng=1))
    model[1].weight = model[0].weight
    other = copied(model)
    assert other[1].weight is other[0].weight is not model[0].weight
    assert numbers(other) == numbers(model)
    other[0].weight.data += 1
    assert numbers(other) != numbers(model)


def test_train_and_eval_reach_every_module() -> None:
    model = Everything()
    assert model.eval() is model
    assert not any(m.training for m in model.modules())
    assert all(m.training for m in model.train().modules())
    with pytest.raises(TypeError, match="mode is True or False, got 'off'"):
        model.train("off")  # type: ignore[arg-type]


def test_zero_grad_forgets_every_gradient() -> None:
    model = Everything()
    model(np.ones((4, 2), np.float32)).sum().backward()
    assert model.single.grad is not None
    model.zero_grad()
    assert all(p.grad is None for p in model.parameters())


def test_a_state_is_a_copy_and_loads_into_a_model_that_is_built_alike() -> None:
    one, other = Everything(), Everything()
    one.layers[0].weight.data += 1  # type: ignore[union-attr]
    state = one.state_dict()
    before = numbers(one)
    state["single"] += 1
    assert numbers(one) == before
    other.load_state_dict(state)
    assert other.single.item() == 3.0
    state["single"] += 1
    assert other.single.item() == 3.0
    state["single"] -= 2
    other.load_state_dict(state)
    assert numbers(other) == before


def test_a_state_that_does_not_fit_is_told_whole_and_changes_nothing() -> None:
    model = Sequential(Linear(3, 2, rng=0), ReLU(), Linear(2, 1, rng=1))
    before = numbers(model)
    state: dict[str, Any] = {name: a + 1 for name, a in model.state_dict().items()}
    del state["0.bias"]
    state["extra"] = np.zeros(3)
    state["0.weight"] = np.zeros((3, 2), np.float32)
    state["2.bias"] = np.zeros(1)
    with pytest.raises(ValueError, match="load_state_dict of Sequential") as caught:
        model.load_state_dict(state)
    assert "missing 0.bias; unexpected extra" in str(caught.value)
    assert "(2, 3) and float32, got (3, 2) and float32" in str(caught.value)
    assert "2.bias is of shape (1,) and float32, got (1,) and float64" in str(
        caught.value
    )
    assert "Nothing was changed" in str(caught.value)
    assert numbers(model) == before


@pytest.mark.parametrize("state", [None, [1.0], {"0.weight": "w"}, {1: np.ones(2)}])
def test_what_is_no_state_is_refused(state: Any) -> None:
    with pytest.raises(TypeError, match="load_state_dict of Linear"):
        Linear(2, 1).load_state_dict(state)


def test_two_tensors_of_one_name_are_refused() -> None:
    class Twins(Module):
        def __init__(self) -> None:
            self.d = {"1": Tensor([1.0]), 1: Tensor([2.0])}

    with pytest.raises(ValueError, match=r"two tensors called d\.1"):
        Twins().state_dict()


def test_the_repr_shows_shapes_and_counts() -> None:
    model = Sequential(Linear(64, 32), ReLU(), Sequential(Linear(32, 10), Dropout(0.1)))
    assert repr(model).splitlines() == [
        "Sequential(): 2,410 parameters",
        "  0    Linear(64, 32)  weight (32, 64), bias (32,)  2,080",
        "  1    ReLU()",
        "  2    Sequential()",
        "  2.0  Linear(32, 10)  weight (10, 32), bias (10,)    330",
        "  2.1  Dropout(0.1)",
    ]
    one = "Linear(2, 1, bias=False): 2 parameters, weight (1, 2)"
    assert repr(Linear(2, 1, bias=False)) == one
    assert repr(ReLU()) == "ReLU()"


def test_an_error_says_in_which_layer_it_was_raised() -> None:
    model = Sequential(Linear(4, 3), Sequential(ReLU(), Linear(5, 2)))
    with pytest.raises(ValueError, match=r"^Linear\(5, 2\): needs rows of 5") as caught:
        model(np.zeros((7, 4), np.float32))
    assert caught.value.__notes__ == ["in 1.1 of Sequential()"]


def test_a_module_without_forward_says_so() -> None:
    with pytest.raises(NotImplementedError, match="Module has no forward; write def"):
        Module()(1.0)


def test_sequential_is_a_list_of_modules() -> None:
    first, last = Linear(2, 3), Linear(3, 1)
    model = Sequential(first, ReLU(), last)
    assert (len(model), model[0], model[-1]) == (3, first, last)
    assert list(model)[2] is last
    assert isinstance(model[:2], Sequential)
    assert list(model[:2].state_dict()) == ["0.weight", "0.bias"]
    assert Sequential(np.tanh)(Tensor([0.0])).tolist() == [0.0]


@pytest.mark.parametrize("wrong", [[ReLU()], ReLU, None])
def test_what_is_no_module_is_refused_by_sequential(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"item 1 must be a module, such as ReLU\(\)"):
        Sequential(ReLU(), wrong)


def test_the_face_of_nn_offers_what_its_stub_names() -> None:
    stub = (ROOT / "autograd_lib" / "nn" / "__init__.pyi").read_text(encoding="utf-8")
    imports = [n for n in ast.parse(stub).body if isinstance(n, ast.ImportFrom)]
    named = {alias.name for n in imports for alias in n.names}
    assert named == set(nn.__all__) == set(nn.WHERE) <= set(dir(nn))
    for name in nn.__all__:
        assert getattr(nn, name).__name__.split(".")[-1] == name
    with pytest.raises(AttributeError, match=r"nn has no 'Lineal'; it has Module"):
        nn.Lineal  # type: ignore[attr-defined]  # noqa: B018
