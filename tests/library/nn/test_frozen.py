"""A frozen parameter stays a parameter, as in PyTorch."""

import copy
import pickle

import numpy as np
import pytest

from autograd_lib import Tensor, functional, no_grad
from autograd_lib.nn import Linear, Module, Parameter, ReLU, Sequential
from autograd_lib.optim import SGD, Adam, clip_grad_norm

X = np.random.default_rng(0).normal(size=(5, 3))


def model():
    layers = Linear(3, 4, rng=0, dtype=float), ReLU(), Linear(4, 1, rng=1, dtype=float)
    return Sequential(*layers)


def freeze(module, wanted=False):
    for p in module.parameters():
        p.requires_grad = wanted


def train(net, optimizer, steps=1):
    for _ in range(steps):
        optimizer.zero_grad()
        (net(X) ** 2).mean().backward()
        optimizer.step()


def numbers(net):
    return [p.data.copy() for p in net.parameters()]


def moved(before, net):
    return [
        not np.array_equal(a, p.data)
        for a, p in zip(before, net.parameters(), strict=True)
    ]


def test_it_is_found_counted_and_named():
    net = model()
    names, count = [n for n, _ in net.named_parameters()], repr(net)
    freeze(net)
    assert [n for n, _ in net.named_parameters()] == names
    assert list(net.buffers()) == []
    assert repr(net) == count
    assert not any(p.requires_grad for p in net.parameters())


@pytest.mark.parametrize("early", [True, False])
def test_the_head_is_trained_then_all_of_it(early):
    net = model()
    optimizer = SGD(net.parameters(), lr=0.1) if early else None
    freeze(net[0])
    optimizer = optimizer or SGD(net.parameters(), lr=0.1)
    before = numbers(net)
    train(net, optimizer)
    assert moved(before, net) == [False, False, True, True]
    freeze(net, True)
    train(net, optimizer)
    assert moved(before, net) == [True, True, True, True]


def test_all_may_be_frozen_when_the_optimiser_is_made():
    net = model()
    freeze(net)
    optimizer = Adam(net.parameters())
    with pytest.raises(RuntimeError, match="no gradient"):
        train(net, optimizer)
    freeze(net, True)
    before = numbers(net)
    train(net, optimizer)
    assert all(moved(before, net))


def test_a_moving_average_is_kept_in_a_frozen_copy():
    net = model()
    average = copy.deepcopy(net)
    for p in average.parameters():
        p.requires_grad_(False)
    train(net, SGD(net.parameters(), lr=0.1))
    before = numbers(average)
    with no_grad():
        for mean, p in zip(average.parameters(), net.parameters(), strict=True):
            mean += 0.5 * (p - mean)
    assert moved(before, average) == [True] * 4
    with no_grad():
        assert average(X).shape == (5, 1)


def test_a_critic_is_frozen_for_the_step_of_the_generator():
    generator, critic = Linear(3, 3, rng=0, dtype=float), model()
    optimizers = [SGD(m.parameters(), lr=0.1) for m in (generator, critic)]
    for _ in range(3):
        for which, optimizer in enumerate(optimizers):
            freeze(critic, which == 1)
            before = numbers(generator), numbers(critic)
            optimizer.zero_grad()
            score = critic(generator(X)).mean()
            (score if which else -score).backward()
            optimizer.step()
            assert any(moved(before[which], (generator, critic)[which]))
            assert not any(moved(before[1 - which], (generator, critic)[1 - which]))


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))]
)
def test_copies_of_a_model_and_its_optimiser_train_on(again):
    net = model()
    optimizer = Adam(net.parameters())
    train(net, optimizer)
    net[0].weight.requires_grad_(False)
    copied = again((net, optimizer))
    for one in ((net, optimizer), copied):
        one[1].zero_grad()
        train(*one)
    assert moved(numbers(net), copied[0]) == [False] * 4
    assert copied[0][0].weight.grad is None
    assert [p.requires_grad for p in copied[0].parameters()] == [False] + [True] * 3
    copied[0][0].weight.requires_grad_()
    before = numbers(copied[0])
    train(*copied)
    assert all(moved(before, copied[0]))


def test_a_frozen_leaf_is_copied_with_its_gradient():
    t = Tensor([1.0, 2.0], requires_grad=True)
    (t * t).sum().backward()
    t.requires_grad_(False)
    for other in (copy.deepcopy(t), copy.deepcopy({"t": t})["t"]):
        np.testing.assert_array_equal(other.grad.data, [2.0, 4.0])
    shallow = copy.copy(t)
    shallow.grad = None
    assert not shallow.requires_grad
    assert t.grad is not None


def test_clipping_passes_by_what_is_frozen():
    net = model()
    optimizer = SGD(net.parameters(), lr=0.1)
    (net(X) ** 2).mean().backward()
    freeze(net[0])
    of_head = [p.grad.data for p in net[2].parameters()]
    norm = np.sqrt(sum((g**2).sum() for g in of_head))
    kept = net[0].weight.grad.data.copy()
    assert clip_grad_norm(optimizer.params, 1e-3) == pytest.approx(norm)
    np.testing.assert_array_equal(net[0].weight.grad.data, kept)


def test_its_numbers_are_saved_and_loaded():
    net, other = model(), model()
    freeze(other)
    net[0].weight.data = net[0].weight.data * 3
    other.load_state_dict(net.state_dict())
    np.testing.assert_array_equal(other[0].weight.data, net[0].weight.data)
    assert len(list(other.parameters())) == 4


def test_a_gradient_with_respect_to_a_model_leaves_it_out():
    net = model()
    freeze(net[0])
    found = functional.grad(lambda m: (m(X) ** 2).mean())(net)
    assert list(found) == ["2.weight", "2.bias"]


def test_a_parameter_may_begin_frozen():
    class Scaled(Module):
        def __init__(self):
            self.scale = Parameter(2.0, requires_grad=False)

    module = Scaled()
    assert [n for n, _ in module.named_parameters()] == ["scale"]
    freeze(module, True)
    assert module.scale.requires_grad


def test_a_buffer_is_none_even_if_it_was_a_parameter():
    module = model()
    t = Tensor([1.0], requires_grad=True).requires_grad_(False)
    module.register_buffer("mean", t)
    assert [n for n, _ in module.named_buffers()] == ["mean"]
    assert len(list(module.parameters())) == 4
