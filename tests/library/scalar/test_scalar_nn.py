"""Neurons, layers, a network: micrograd's names and numbers, and right gradients."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.book.moons import make_moons
from autograd_lib.scalar.dot import Dot
from autograd_lib.scalar.nn import MLP, Layer, Module, Neuron
from autograd_lib.scalar.numerical import complex_step, partial_derivatives
from autograd_lib.scalar.value import Value

shapes = st.lists(st.integers(1, 4), min_size=2, max_size=4)
seeds = st.integers(0, 2**32)


def network(nin: int, nouts: Sequence[int], seed: int = 1) -> MLP:
    random.seed(seed)
    return MLP(nin, nouts)


def data(numbers: Sequence[Value]) -> list[float]:
    return [v.data for v in numbers]


def grads(numbers: Sequence[Value]) -> list[float]:
    return [v.grad for v in numbers]


def listed(out: Any) -> list[Value]:
    return [out] if isinstance(out, Value) else out


@given(shapes, seeds)
def test_the_parameters_are_those_of_micrograd(shape: list[int], seed: int) -> None:
    model = network(shape[0], shape[1:], seed)
    random.seed(seed)
    drawn = []
    for nin, nout in pairwise(shape):
        for _ in range(nout):
            drawn += [random.uniform(-1, 1) for _ in range(nin)] + [0.0]
    assert data(model.parameters()) == drawn


def test_parameters_come_layer_by_layer_and_neuron_by_neuron() -> None:
    model = network(2, [2, 1])
    neurons = [neuron for layer in model.layers for neuron in layer.neurons]
    expected = [p for neuron in neurons for p in (*neuron.w, neuron.b)]
    assert model.parameters() == expected
    assert [p for layer in model.layers for p in layer.parameters()] == expected
    model.parameters().pop()
    assert len(model.parameters()) == len(set(expected)) == 9
    assert len(MLP(2, [16, 16, 1]).parameters()) == 337
    assert Module().parameters() == []


def test_the_names_are_those_of_micrograd() -> None:
    assert repr(network(2, [2, 2])) == (
        "MLP of [Layer of [ReLUNeuron(2), ReLUNeuron(2)], "
        "Layer of [LinearNeuron(2), LinearNeuron(2)]]"
    )
    assert repr(Layer(3, 1, nonlin=False)) == "Layer of [LinearNeuron(3)]"
    assert repr(Neuron(1)) == "ReLUNeuron(1)"


def neuron_of(*numbers: float, nonlin: bool = True) -> Neuron:
    neuron = Neuron(len(numbers) - 1, nonlin)
    for p, number in zip(neuron.parameters(), numbers, strict=True):
        p.data = number
    return neuron


def test_a_neuron_is_one_node_made_of_parameters_and_inputs() -> None:
    neuron, x = neuron_of(0.5, -2.0, 1.0), [Value(3.0), Value(-4.0)]
    out = neuron(x)
    out.backward()
    assert isinstance(out, Dot)
    assert set(out.parents) == {*neuron.parameters(), *x}
    assert (out.data, out.label) == (0.5 * 3.0 + -2.0 * -4.0 + 1.0, "relu dot")
    assert (grads(neuron.parameters()), grads(x)) == ([3.0, -4.0, 1.0], [0.5, -2.0])


def test_relu_is_in_all_layers_but_the_last() -> None:
    assert neuron_of(1.0, 0.5)([-2.0]).data == 0.0
    assert neuron_of(1.0, 0.5, nonlin=False)([-2.0]).data == -1.5
    layers = network(2, [2, 2, 1]).layers
    kinds = [[neuron.nonlin for neuron in layer.neurons] for layer in layers]
    assert kinds == [[True, True], [True, True], [False]]


def layered(shape: list[int], numbers: Sequence[complex], x: list[complex]) -> Any:
    """Return what a network gives, from its parameters, all numbers complex."""
    rest = iter(numbers)
    for depth, (nin, nout) in enumerate(pairwise(shape), 2):
        weights = [[next(rest) for _ in range(nin + 1)] for _ in range(nout)]
        x = [sum(map(complex.__mul__, w, [*x, 1 + 0j])) for w in weights]
        if depth < len(shape):
            x = [z if z.real > 0 else 0j for z in x]
    return x


def loss_of(outs: Sequence[Any]) -> Any:
    return sum(out * (1 / k) for k, out in enumerate(outs, 1))


@given(shapes, seeds)
def test_gradients_agree_with_function_values(shape: list[int], seed: int) -> None:
    model, nin = network(shape[0], shape[1:], seed), shape[0]
    parameters = model.parameters()
    for p in parameters:
        p.data = random.uniform(-1, 1)
    inputs = [Value(random.uniform(-1, 1)) for _ in range(3 * nin)]
    numbers = [*inputs, *parameters]

    def f(*point: float) -> Any:
        given = [z + 0j for z in point]
        rows = [given[:nin], given[nin : 2 * nin], given[2 * nin : 3 * nin]]
        outs = [layered(shape, given[3 * nin :], row) for row in rows]
        return loss_of([out for row in outs for out in row])

    method: Any = complex_step
    exact = partial_derivatives(f, data(numbers), method)
    rows = [inputs[:nin], inputs[nin : 2 * nin], inputs[2 * nin :]]
    loss_of([out for row in rows for out in listed(model(row))]).backward()
    # What is summed stays below 100, and fewer than 100 roundings of it below 1e-12.
    assert grads(numbers) == pytest.approx(exact, rel=1e-12, abs=1e-12)


def test_code_written_for_micrograd_learns_the_moons() -> None:
    xs, ys = make_moons(20, shuffle=False)
    signs = ys * 2 - 1
    model = network(2, [8, 8, 1], seed=3)
    losses = []
    for k in range(60):
        inputs = [list(map(Value, row)) for row in xs]
        scores = list(map(model, inputs))
        margins = [(1 + -y * s).relu() for y, s in zip(signs, scores, strict=True)]
        loss = sum(margins) * (1.0 / len(margins))
        loss = loss + 1e-4 * sum(p * p for p in model.parameters())
        model.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.data -= (1.0 - 0.9 * k / 60) * p.grad
        losses.append(loss.data)
    assert losses[-1] < 0.1 * losses[0]
    assert [model(row).data > 0 for row in xs] == [y > 0 for y in signs]


def test_zero_grad_is_for_every_parameter_and_nothing_else() -> None:
    model, x = network(2, [3, 1]), [Value(1.0), Value(2.0)]
    out = model(x)
    out.backward()
    assert any(grads(model.parameters()))
    before = grads(x)
    model.zero_grad()
    assert [repr(grad) for grad in grads(model.parameters())] == ["0.0"] * 13
    assert (grads(x), out.grad) == (before, 1.0)


KINDS: list[Callable[[list[float]], Any]] = [
    tuple,
    np.array,
    lambda row: np.array(row, dtype=np.float32),
    lambda row: list(map(Value, row)),
    lambda row: (Value(row[0]), *map(np.float64, row[1:])),
    lambda row: [Value(row[0]) * 1, 2, row[2]],
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("module", [Neuron(3), Layer(3, 2), network(3, [2, 2])])
def test_inputs_are_values_or_numbers_in_any_sequence(module: Any, kind: Any) -> None:
    row = [0.5, 2.0, -1.0]
    values, inputs = list(map(Value, row)), kind(row)
    expected, found = listed(module(values)), listed(module(inputs))
    assert data(found) == data(expected)
    for out in (*expected, *found):
        out.backward()
    for v, x in zip(values, inputs, strict=True):
        assert not isinstance(x, Value) or x.parents or x.grad == v.grad


def test_a_hidden_layer_can_have_one_neuron() -> None:
    model = network(2, [1, 1, 2])
    for p in model.parameters():
        p.data = 2.0
    x = [Value(1.0), Value(3.0)]
    outs = model(x)
    assert data(outs) == [2 * (2 * (2 * 1 + 2 * 3 + 2) + 2) + 2] * 2
    outs[1].backward()
    assert grads(x) == [8.0, 8.0]
    assert isinstance(model.layers[0](x), Value)
    assert isinstance(model.layers[2]([1.0]), list)


def test_a_changed_parameter_counts_from_the_next_call_on() -> None:
    neuron = neuron_of(2.0, 1.0)
    x = Value(3.0)
    before = neuron([x])
    neuron.w[0].data, neuron.b.data = 4.0, 5.0
    assert (before.data, neuron([x]).data, before.slopes) == (7.0, 17.0, (1, 3, 2))


def test_parameters_may_be_replaced_as_in_micrograd() -> None:
    neuron = Neuron(2)
    neuron.w = [Value(1.0), Value(2.0)]
    neuron.w[0] = Value(4.0)
    neuron.b = Value(-1.0)
    y = neuron([3.0, 5.0])
    y.backward()
    assert (y.data, [p.grad for p in neuron.parameters()]) == (21.0, [3.0, 5.0, 1.0])
    assert neuron.w + [neuron.b] == neuron.parameters()  # noqa: RUF005 as they write it


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Neuron(0), "Neuron: nin must be at least 1, got 0"),
        (lambda: Layer(-2, 1), "Neuron: nin must be at least 1, got -2"),
        (lambda: Layer(2, 0), "Layer: nout must be at least 1, got 0"),
        (lambda: MLP(0, [1]), "Neuron: nin must be at least 1, got 0"),
        (lambda: MLP(2, [3, 0, 1]), "Layer: nout must be at least 1, got 0"),
        (lambda: MLP(2, []), "MLP: nouts is empty; give the size of each layer"),
        (lambda: MLP("a", [1]), "Neuron: nin must be a whole number, got 'a'"),
        (lambda: MLP(2, [1.5]), "Layer: nout must be a whole number, got 1.5"),
        (lambda: MLP(2, 3), "MLP: nouts is a list of the layers' sizes, got 3"),
    ],
)
def test_what_has_no_inputs_or_no_neurons_is_refused(make: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()


@pytest.mark.parametrize("got", [1, 3])
def test_another_number_of_inputs_is_refused(got: int) -> None:
    model = network(2, [2, 1])
    message = rf"ReLUNeuron\(2\) has 2 weights and got {got} inputs; give one input for"
    for module in (model, model.layers[0], model.layers[0].neurons[0]):
        with pytest.raises(ValueError, match=message):
            module([1.0] * got)


def test_an_input_that_is_no_number_is_refused() -> None:
    with pytest.raises(TypeError, match="must be one real number, got 'a'"):
        network(2, [1])([1.0, "a"])  # type: ignore[list-item]
