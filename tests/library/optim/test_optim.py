"""Optimisers: each step as the formula says, as a whole or not at all."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor
from autograd_lib.nn.layers import Linear, Sequential
from autograd_lib.optim import (
    SGD,
    Adam,
    AdamW,
    LambdaLR,
    Optimizer,
    clip_grad_norm,
    warmup_cosine,
)

MAKE: dict[str, Callable[[Any], Optimizer]] = {
    "SGD": lambda p: SGD(p, 0.1),
    "momentum": lambda p: SGD(p, 0.1, 0.9),
    "Adam": lambda p: Adam(p, 0.1),
    "AdamW": lambda p: AdamW(p, 0.1),
}
EACH = pytest.mark.parametrize("make", MAKE.values(), ids=list(MAKE))


def leaf(*numbers: float, dtype: Any = float) -> Tensor:
    return Tensor(list(numbers), True, dtype)


def moved(optimizer: Optimizer, *gradients: float) -> list[float]:
    """Return the first number of the first parameter after each step."""
    (p,) = optimizer.params
    path = []
    for g in gradients:
        p.grad = Tensor(np.full(p.shape, g, p.dtype))
        optimizer.step()
        path.append(float(p.data[0]))
    return path


def test_the_first_steps_by_hand() -> None:
    assert moved(SGD([leaf(1.0)], 0.5), 1, 2) == [0.5, -0.5]
    assert moved(SGD([leaf(1.0)], 0.5, 0.5), 1, 1, 0) == [0.5, -0.25, -0.625]
    assert moved(SGD([leaf(1.0)], 0.5, 0.5, nesterov=True), 1, 1) == [0.25, -0.625]
    assert moved(SGD([leaf(1.0)], 0.5, weight_decay=0.5), 1) == [0.25]


def test_adams_steps_are_of_about_lr_whatever_the_gradient() -> None:
    for g in (1e-4, 1.0, 1e4):
        path = moved(Adam([leaf(1.0)], 0.1, eps=1e-12), g, g, g)
        assert path == pytest.approx([0.9, 0.8, 0.7])


def test_weight_decay_of_adamw_is_apart_from_the_means() -> None:
    assert moved(AdamW([leaf(2.0)], 0.1, weight_decay=0.5), 0.0) == [2.0 - 0.1]
    assert moved(Adam([leaf(2.0)], 0.1, weight_decay=0.5), 0.0) == pytest.approx([1.9])
    far = moved(Adam([leaf(2.0)], 0.1, weight_decay=50.0), 0.0)
    assert far == pytest.approx([1.9])  # through the means it has no size


@EACH
def test_a_model_learns(make: Any) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 3)).astype(np.float32)
    y = x @ np.array([[1.0], [-2.0], [0.5]], np.float32)
    model = Sequential(Linear(3, 1, rng=0))
    optimizer, losses = make(model.parameters()), []
    for _ in range(300):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.002 * losses[0]
    assert {p.dtype for p in model.parameters()} == {np.dtype(np.float32)}
    assert optimizer.steps == 300


@EACH
def test_a_step_writes_into_the_parameters_that_are_there(make: Any) -> None:
    p = leaf(1.0, 2.0)
    seen, version = p.detach(), p.data
    moved(make([p]), 1.0)
    assert p.data is version
    assert seen.tolist() == p.tolist() != [1.0, 2.0]


@EACH
def test_a_parameter_without_a_gradient_stays_and_counts_no_move(make: Any) -> None:
    first, second = leaf(1.0), leaf(1.0)
    optimizer = make([first, second])
    first.grad = Tensor([1.0])
    optimizer.step()
    assert second.tolist() == [1.0]
    first.grad, path = None, []
    for g in (1.0, -3.0, 2.0):
        second.grad = Tensor([g])
        optimizer.step()
        path += second.tolist()
    assert path == pytest.approx(moved(make([leaf(1.0)]), 1.0, -3.0, 2.0))


@EACH
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_step_that_is_not_finite_is_refused_and_changes_nothing(
    make: Any, bad: float
) -> None:
    model = Sequential(Linear(3, 2, rng=0), Linear(2, 1, rng=1))
    optimizer = make(model.named_parameters())
    for p in model.parameters():
        p.grad = Tensor(np.ones(p.shape, np.float32))
    optimizer.step()
    before = model.state_dict(), optimizer.state_dict()
    model[0].bias.grad.data[1] = bad
    model[1].weight.grad.data[:] = bad
    with pytest.raises(FloatingPointError, match="step 2 is refused") as caught:
        optimizer.step()
    assert "1 of the 2 numbers in the gradient of 0.bias" in str(caught.value)
    assert "of 1 parameters after it" in str(caught.value)
    for old, new in zip(before, (model, optimizer), strict=True):
        for name, a in new.state_dict().items():
            np.testing.assert_array_equal(a, old[name])
    for p in model.parameters():
        p.grad = Tensor(np.ones(p.shape, np.float32))
    optimizer.step()
    assert optimizer.steps == 2


def test_a_step_that_overflows_is_refused() -> None:
    p = leaf(1.0, dtype=np.float32)
    for optimizer in (SGD([p], 1e30), Adam([p], 0.1)):
        p.grad = Tensor(np.array([1e25], np.float32))
        with pytest.raises(FloatingPointError, match=r"is finite, up to 1e\+25, but"):
            optimizer.step()
        assert (p.tolist(), optimizer.steps) == ([1.0], 0)


@EACH
def test_a_step_without_gradients_is_a_mistake(make: Any) -> None:
    with pytest.raises(RuntimeError, match=r"no parameter has a gradient; call loss"):
        make([leaf(1.0)]).step()


def test_a_frozen_parameter_stays() -> None:
    first, second = leaf(1.0), leaf(1.0)
    optimizer = SGD([first, second], 0.1)
    first.grad = second.grad = Tensor([1.0])
    second.requires_grad_(False)
    optimizer.step()
    assert (first.tolist(), second.tolist()) == ([0.9], [1.0])


@EACH
def test_zero_grad_forgets(make: Any) -> None:
    p = leaf(1.0)
    p.grad = Tensor([1.0])
    make([p]).zero_grad()
    assert p.grad is None


@EACH
def test_a_state_that_does_not_fit_changes_nothing(make: Any) -> None:
    one, other = make([leaf(1.0)]), make([leaf(1.0), leaf(2.0)])
    before = one.state_dict()
    with pytest.raises(ValueError, match=r"load_state_dict of .*moves is of shape"):
        one.load_state_dict(other.state_dict())
    assert one.state_dict().keys() == before.keys()
    assert one.lr == 0.1


def test_a_state_of_another_optimiser_is_told() -> None:
    with pytest.raises(ValueError, match=r"of Adam.*missing 0.mean, 0.mean_square"):
        Adam([leaf(1.0)]).load_state_dict(SGD([leaf(1.0)]).state_dict())


def test_the_repr_says_what_it_moves() -> None:
    expected = "Adam: lr 0.001, 2 tensors with 5 parameters, 0 steps made"
    assert repr(Adam([leaf(1.0, 2.0), leaf(1.0, 2.0, 3.0)])) == expected


P = leaf(1.0)
REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: SGD([]), ValueError, "there are no parameters"),
    (lambda: SGD(iter(())), ValueError, "can be gone through once"),
    (
        lambda: SGD([P, leaf(2.0), P]),
        ValueError,
        "parameter 0 is there twice, again",
    ),
    (lambda: SGD(P), TypeError, r"params is several tensors, such as model.param"),
    (lambda: Adam(Linear(2, 1)), TypeError, "model.parameters.*got Linear"),
    (lambda: SGD([1.0]), TypeError, "parameter 0 must be a tensor, got 1.0"),
    (lambda: SGD([Tensor([1.0])]), ValueError, r"\(1,\), is a constant; only a leaf"),
    (lambda: SGD([P * 2]), ValueError, "was made by an operation; only a leaf"),
    (lambda: SGD([P], -0.1), ValueError, "lr must be a number of at least 0, got -0.1"),
    (lambda: Adam([P], math.nan), ValueError, "Adam: lr must be .* got nan"),
    (lambda: SGD([P], math.inf), ValueError, "lr must be .* got inf"),
    (lambda: SGD([P], "fast"), TypeError, "lr must be .* got 'fast'"),
    (lambda: SGD([P], nesterov=True), ValueError, "nesterov needs a momentum"),
    (lambda: SGD([P], 0.1, -1), ValueError, "momentum must be"),
    (lambda: Adam([P], betas=(0.9, 1.0)), ValueError, "second of betas must be"),
    (lambda: AdamW([P], weight_decay=-1), ValueError, "AdamW: weight_decay must"),
    (lambda: SGD([{"params": [P]}, P]), TypeError, "group 1 must be a dictionary with"),
    (lambda: SGD([{"lr": 0.1}]), TypeError, "group 0 must be a dictionary with params"),
    (lambda: SGD([{"params": []}]), ValueError, "no parameters in group 0"),
    (lambda: SGD([{"params": [P]}] * 2), ValueError, "parameter 0 is there twice"),
    (lambda: SGD([{"params": P, "momentum": 0}]), ValueError, "differ, got 'momentum'"),
    (lambda: SGD([{"params": P, "lr": "x"}]), TypeError, "SGD: lr must be .* got 'x'"),
    (lambda: SGD({"params": P}), TypeError, "params is several tensors.*got dict"),
    (lambda: LambdaLR(SGD([P]), 0.5), TypeError, "lr_lambda is a function of the st"),
    (lambda: LambdaLR(abs, SGD([P])), TypeError, "optimizer is an optimiser, such as"),
    (lambda: clip_grad_norm([], 1.0), ValueError, "there are no parameters"),
    (lambda: clip_grad_norm([P], 0), ValueError, "max_norm must be a number above 0"),
    (lambda: warmup_cosine(5, 5), ValueError, "total must be at least 6, got 5"),
    (lambda: warmup_cosine(-1, 5), ValueError, "warmup must be at least 0"),
    (lambda: warmup_cosine(1, 5, 2.0), ValueError, "last must be a number from 0 to"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), REFUSED)
def test_what_is_wrong_is_named(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_the_learning_rate_can_be_set_and_is_checked() -> None:
    optimizer = SGD([leaf(1.0)], 0.5)
    optimizer.lr = 0.25
    assert moved(optimizer, 1.0) == [0.75]
    with pytest.raises(ValueError, match="SGD: lr must be a number of at least 0"):
        optimizer.lr = -1.0
    assert optimizer.lr == 0.25


def test_clipping_scales_all_gradients_by_one_factor() -> None:
    first, second, third = leaf(0.0, 0.0), leaf(0.0), leaf(0.0)
    first.grad, second.grad = Tensor([3.0, 0.0]), Tensor([4.0])
    shared = first.grad
    assert clip_grad_norm([first, second, third], 10.0) == 5.0
    assert first.grad.data.tolist() == shared.data.tolist()
    assert clip_grad_norm([first, second, third], 1.0) == 5.0
    assert first.grad.tolist() == pytest.approx([0.6, 0.0])
    assert second.grad.tolist() == pytest.approx([0.8])
    assert shared.tolist() == [3.0, 0.0]


def test_clipping_of_large_numbers_does_not_overflow() -> None:
    p = leaf(0.0, 0.0, dtype=np.float32)
    p.grad = Tensor(np.array([3e30, 4e30], np.float32))
    assert clip_grad_norm([p], 1.0) == pytest.approx(5e30)
    assert p.grad.tolist() == pytest.approx([0.6, 0.8])


def test_clipping_of_numbers_whose_squares_are_no_floats() -> None:
    p = leaf(0.0, 0.0)
    p.grad = Tensor([3e200, 4e200])
    assert clip_grad_norm([p], 1.0) == pytest.approx(5e200)
    assert p.grad.tolist() == pytest.approx([0.6, 0.8])


def test_clipping_refuses_a_norm_that_is_no_float() -> None:
    for gradients in ([1.5e308, 1.5e308], [1.5e308]), ([1.5e308], [1.5e308]):
        leaves = [leaf(*(0.0 for _ in g)) for g in gradients]
        for p, g in zip(leaves, gradients, strict=True):
            p.grad = Tensor(g)
        with pytest.raises(FloatingPointError, match="are finite, but their common"):
            clip_grad_norm(leaves, 1.0)
        assert [p.grad.tolist() for p in leaves] == list(gradients)


@pytest.mark.parametrize("name", ["steps", "moves"])
def test_a_state_that_counts_below_0_is_refused(name: str) -> None:
    adam = Adam([leaf(1.0)])
    state = adam.state_dict()
    state[name] = state[name] - 1
    with pytest.raises(ValueError, match=f"load_state_dict of Adam: {name} are count"):
        adam.load_state_dict(state)
    assert (adam.steps, adam.moves) == (0, [0])


def test_clipping_refuses_nan_and_changes_nothing() -> None:
    first, second = leaf(0.0), leaf(0.0)
    first.grad, second.grad = Tensor([5.0]), Tensor([math.nan])
    with pytest.raises(FloatingPointError, match="the gradient of b, of shape"):
        clip_grad_norm([("a", first), ("b", second)], 1.0)
    assert first.grad.tolist() == [5.0]


def test_the_schedule_rises_and_falls() -> None:
    factor = warmup_cosine(4, 12, last=0.1)
    assert [factor(i) for i in range(5)] == [0.25, 0.5, 0.75, 1.0, 1.0]
    assert factor(8) == pytest.approx(0.55)
    assert factor(12) == factor(1000) == pytest.approx(0.1)
    falls = [factor(i) for i in range(4, 13)]
    assert falls == sorted(falls, reverse=True)
    assert warmup_cosine(0, 10)(0) == 1.0


def grouped(first: Tensor, second: Tensor, lr: float = 0.5) -> SGD:
    groups = [{"params": [first]}, {"params": second, "lr": 0.25, "weight_decay": 2}]
    return SGD(groups, lr)


def test_a_group_has_its_own_rate_and_decay() -> None:
    first, second = leaf(1.0), leaf(1.0)
    optimizer = grouped(first, second)
    first.grad = second.grad = Tensor([1.0])
    optimizer.step()
    assert (first.tolist(), second.tolist()) == ([0.5], [0.25])
    assert (optimizer.lr, optimizer.weight_decay) == (0.5, 0)
    optimizer.param_groups[1]["weight_decay"] = 0
    optimizer.lr = 0.125
    optimizer.step()
    assert (first.tolist(), second.tolist()) == ([0.375], [0.125])
    assert repr(optimizer).startswith("SGD: lr 0.125 and 0.125, 2 tensors")


def test_a_wrong_number_in_a_group_changes_nothing() -> None:
    first, second = leaf(1.0), leaf(1.0)
    optimizer = grouped(first, second)
    first.grad = second.grad = Tensor([1.0])
    optimizer.param_groups[1]["lr"] = -1
    with pytest.raises(ValueError, match="SGD: lr must be a number of at least 0"):
        optimizer.step()
    assert (first.tolist(), second.tolist(), optimizer.steps) == ([1.0], [1.0], 0)


def test_the_state_has_the_rate_of_each_group() -> None:
    one, other = (grouped(leaf(1.0), leaf(1.0), lr) for lr in (0.5, 0.125))
    other.load_state_dict(one.state_dict())
    assert other.rates() == [0.5, 0.25]
    state = {**one.state_dict(), "lr": np.array([0.5, -1.0])}
    with pytest.raises(ValueError, match="lr must be a number of at least 0"):
        other.load_state_dict({**state, "steps": np.array(3)})
    assert (other.rates(), other.steps) == ([0.5, 0.25], 0)
    with pytest.raises(ValueError, match=r"lr is of shape \(2,\)"):
        other.load_state_dict(SGD([leaf(1.0), leaf(1.0)]).state_dict())


def test_a_schedule_multiplies_the_rate_of_each_group() -> None:
    optimizer = grouped(leaf(1.0), leaf(1.0))
    schedule = LambdaLR(optimizer, warmup_cosine(2, 4))
    rates = [schedule.get_last_lr()]
    for _ in range(4):
        schedule.step()
        rates.append(optimizer.rates())
    assert rates[:3] == [[0.25, 0.125], [0.5, 0.25], [0.5, 0.25]]
    assert rates[4] == [0.0, 0.0]


@pytest.mark.parametrize("factor", [None, Tensor(0.5), math.nan, -1.0, 1e308])
def test_a_wrong_factor_changes_nothing(factor: Any) -> None:
    optimizer = grouped(leaf(1.0), leaf(1.0), lr=4.0)
    factors = [1.0, factor, 0.5]
    schedule = LambdaLR(optimizer, lambda step: factors[step])
    wrong = r"LambdaLR: lr_lambda\(1\).*must be a number"
    with pytest.raises((TypeError, ValueError), match=wrong):
        schedule.step()
    assert (optimizer.rates(), schedule.steps) == ([4.0, 0.25], 0)
    factors[1] = 0.25
    schedule.step()
    assert (optimizer.rates(), schedule.steps) == ([1.0, 0.0625], 1)


def test_an_optimiser_of_ones_own_says_how_far() -> None:
    class Signs(Optimizer):
        def change(self, p: Any, g: Any, memory: Any, move: int) -> Any:
            return self.lr * np.sign(g), memory

    assert moved(Signs([leaf(1.0)], 0.25), 7.0, -3.0) == [0.75, 1.0]
    with pytest.raises(NotImplementedError, match="Optimizer has no change"):
        moved(Optimizer([leaf(1.0)], 0.1), 1.0)


@pytest.mark.parametrize("make", [SGD, Adam])
def test_a_read_only_parameter_is_refused_and_none_moves(make: Any) -> None:
    first, second = leaf(1.0, 2.0), leaf(3.0)
    optimizer = make([first, second], lr=0.1)
    second.data.flags.writeable = False
    (first.sum() + (second * second).sum()).backward()
    with pytest.raises(ValueError, match=r"step: .*1.* read-only, and nothing"):
        optimizer.step()
    assert first.tolist() == [1.0, 2.0]
    assert (optimizer.moves, optimizer.steps) == ([0, 0], 0)
