"""Operations of layers and losses: equal to what they stand for, and their slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.check import dotcheck, gradcheck, gradgradcheck
from autograd_lib.engine import Tensor
from autograd_lib.nn import conv2d, conv_transpose2d, functional, init
from autograd_lib.nn.losses import (
    binary_cross_entropy_with_logits,
    cross_entropy,
    mse_loss,
)
from tests.library.operations.case import normal

LABELS = np.array([0, 1, 1])
SOFT = np.array([0.1, 0.9, 0.5])


def along(*axes: int) -> Callable[..., Tensor]:
    return lambda x, w=None, b=None: functional.normalize(x, axes, w, b, 1e-5)


CASES = [
    (functional.linear, (normal(3), normal(2, 3), normal(2))),
    (functional.linear, (normal(5, 3), normal(2, 3), normal(2))),
    (functional.linear, (normal(2, 4, 3), normal(2, 3), normal(2))),
    (functional.linear, (normal(2, 4, 3), normal(2, 3))),
    (along(-1), (normal(4, 3), normal(3), normal(3))),
    (along(0, 2), (normal(4, 3, 2), normal(3, 1), normal(3, 1))),
    (along(-2, -1), (normal(2, 3, 4), normal(3, 4), normal(3, 4))),
    (along(-1), (normal(4, 3),)),
    (lambda x: mse_loss(x, SOFT), (normal(3),)),
    (mse_loss, (normal(3), normal(3, 1)[:, 0] + 1)),
    (lambda x: binary_cross_entropy_with_logits(x, LABELS), (normal(3),)),
    (lambda x: binary_cross_entropy_with_logits(x, SOFT), (normal(3),)),
]


@pytest.mark.parametrize(("f", "inputs"), CASES)
def test_first_and_second_derivatives(f: Any, inputs: tuple[np.ndarray, ...]) -> None:
    assert gradcheck(f, *inputs)
    assert gradgradcheck(f, *inputs)
    assert dotcheck(f, *inputs)


def composed(x: Any, axes: tuple[int, ...], w: Any, b: Any) -> Any:
    """Return `normalize` of x, a step at a time."""
    d = x - x.mean(axis=axes, keepdims=True)
    variance = (d * d).mean(axis=axes, keepdims=True)
    return d / np.sqrt(variance + 1e-5) * w + b


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_normalize_is_what_its_steps_are(dtype: Any) -> None:
    x, w, b = (
        Tensor(a, True, dtype) for a in (normal(4, 3), normal(3) + 2, normal(3) - 1)
    )
    weights = normal(4, 3).astype(dtype)
    found = []
    for f in (functional.normalize, composed):
        options = (1e-5,) if f is functional.normalize else ()
        y = f(x, (-1,), w, b, *options)
        (y * weights).sum().backward()
        assert y.dtype == dtype
        found.append([y.data, *(t.grad.data for t in (x, w, b))])
        x.grad = w.grad = b.grad = None
    for ours, theirs in zip(*found, strict=True):
        tolerance = 1e-5 if dtype == np.float32 else 1e-12
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


def test_a_gradient_of_weights_lies_in_memory_as_they_do() -> None:
    w = Tensor(normal(3, 4), requires_grad=True)
    functional.linear(normal(5, 4), w, normal(3)).sum().backward()
    assert w.grad.flags.c_contiguous


def test_linear_takes_what_its_inputs_are_made_of() -> None:
    x, w, b = np.ones((2, 3), int), np.ones((2, 3), np.float32), np.ones(2)
    assert functional.linear(x, w, b).tolist() == [[4, 4], [4, 4]]
    assert functional.linear(x.astype(np.float32), w, b).dtype == np.float64


@pytest.mark.parametrize(
    "shapes", [((5, 4), (4, 3), (3,)), ((5, 4), (3, 4), (4,)), ((), (1, 1), (1,))]
)
def test_linear_names_shapes_that_do_not_fit(shapes: Any) -> None:
    with pytest.raises(ValueError, match="linear: x of shape") as caught:
        functional.linear(*map(np.ones, shapes))
    assert all(str(shape) in str(caught.value) for shape in shapes)


def test_losses_of_scores_that_are_sure() -> None:
    z = Tensor(np.array([1000, -1000, 20], np.float32), requires_grad=True)
    loss = binary_cross_entropy_with_logits(z, [1, 0, 1])
    assert loss.item() == pytest.approx(np.log1p(np.exp(-20)) / 3, rel=1e-6)
    assert binary_cross_entropy_with_logits(z, [0, 1, 1]).item() > 600
    loss.backward()
    assert z.grad.tolist()[:2] == [0, 0]


def test_targets_do_not_change_the_type_of_a_loss() -> None:
    x = Tensor(np.ones(3, np.float32), requires_grad=True)
    for loss in (mse_loss, binary_cross_entropy_with_logits):
        assert loss(x, np.ones(3)).dtype == np.float32
        assert loss(x, [1, 0, 1]).dtype == np.float32
    assert mse_loss(x, [1, 0, 1]).item() == pytest.approx(1 / 3)


@pytest.mark.parametrize("loss", [mse_loss, binary_cross_entropy_with_logits])
@pytest.mark.parametrize("shapes", [((3, 1), (3,)), ((3,), (2,)), ((0,), (0,))])
def test_a_target_for_each_number(loss: Any, shapes: Any) -> None:
    with pytest.raises(ValueError, match="needs a target for each number") as caught:
        loss(*map(np.ones, shapes))
    assert str(shapes[0]) in str(caught.value)


@pytest.mark.parametrize("target", [[0.0, 2.0], [0.0, np.nan], [-1.0, 1.0]])
def test_a_target_of_yes_or_no_is_from_0_to_1(target: list[float]) -> None:
    with pytest.raises(ValueError, match="targets are from 0 to 1, got"):
        binary_cross_entropy_with_logits(np.ones(2), target)


@pytest.mark.parametrize(
    ("fill", "variance"),
    [
        (init.zeros_, 0),
        (init.ones_, 0),
        (lambda t: init.normal_(t, 1.0, 3.0, rng=0), 9),
        (lambda t: init.uniform_(t, -1.0, 1.0, rng=0), 1 / 3),
        (lambda t: init.xavier_normal_(t, rng=0), 2 / 300),
        (lambda t: init.xavier_uniform_(t, 2.0, rng=0), 4 * 2 / 300),
        (lambda t: init.kaiming_normal_(t, rng=0), 2 / 100),
        (lambda t: init.kaiming_uniform_(t, rng=0), 2 / 100),
        (lambda t: init.kaiming_normal_(t, mode="fan_out", rng=0), 2 / 200),
        (lambda t: init.kaiming_uniform_(t, nonlinearity="linear", rng=0), 1 / 100),
        (lambda t: init.kaiming_normal_(t, nonlinearity="tanh", rng=0), 25 / 900),
        (lambda t: init.kaiming_normal_(t, 1.0, rng=0), 1 / 100),
    ],
)
def test_weights_begin_with_the_variance_that_they_should(
    fill: Any, variance: float
) -> None:
    t = Tensor(np.full((200, 100), np.nan), True, np.float32)
    assert fill(t) is t
    assert (t.dtype, t.requires_grad) == (np.float32, True)
    assert t.data.var() == pytest.approx(variance, rel=0.03)


def test_a_filter_counts_its_window() -> None:
    t = Tensor(np.zeros((30, 20, 3, 3)))
    assert init.kaiming_normal_(t, rng=0).data.var() == pytest.approx(2 / 180, rel=0.05)


def test_a_network_of_twenty_layers_keeps_the_size_of_numbers() -> None:
    rng = np.random.default_rng(0)
    sizes = {}
    for nonlinearity in ("linear", "relu"):
        x = rng.normal(size=(200, 100))
        for _ in range(20):
            w = init.kaiming_normal_(
                Tensor(np.zeros((100, 100))), nonlinearity=nonlinearity, rng=rng
            )
            x = np.maximum(x @ w.data.T, 0)
        sizes[nonlinearity] = (x * x).mean()
    assert 0.1 < sizes["relu"] < 10
    assert sizes["linear"] < 1e-4


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda t: init.xavier_normal_(t), ValueError, r"shape \(out, in, …\), got"),
        (lambda t: init.kaiming_normal_(t), ValueError, "begins with zeros_ or unif"),
        (lambda t: init.ones_(t * 2), ValueError, "fills a leaf, and an operation"),
        (lambda t: init.ones_(t.data), TypeError, "fills a tensor, got array"),
        (lambda t: init.calculate_gain("step"), ValueError, "leaky_relu or one of"),
        (
            lambda t: init.kaiming_uniform_(Tensor([[1.0]]), mode="in"),
            ValueError,
            "mode is 'fan_in' or 'fan_out', got 'in'",
        ),
    ],
)
def test_what_cannot_be_filled(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong(Tensor([1.0, 2.0], requires_grad=True))


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"reduction": "avg"}, ValueError, 'reduction is "mean", "sum" or "none", got'),
    ({"ignore_index": 1}, ValueError, "no row counts, for all labels are the ignore"),
    ({"ignore_index": 0.5}, TypeError, "ignore_index must be a whole number"),
    ({"ignore_index": 0, "labels": [4, 0]}, IndexError, "labels are 0 to 2"),
    ({"label_smoothing": 2}, ValueError, "label_smoothing must be a number from 0 to"),
    ({"reduction": "sum", "labels": [1]}, ValueError, "need a label for each row"),
])  # fmt: skip
def test_options_of_cross_entropy_are_checked(
    options: Any, error: Any, message: str
) -> None:
    given = {"labels": [1, 1], **options}
    with pytest.raises(error, match=message):
        cross_entropy(np.zeros((2, 3)), **given)


def test_options_of_cross_entropy_keep_the_type_of_the_scores() -> None:
    x = Tensor(np.zeros((2, 3)), True, np.float32)
    for options in ({"ignore_index": 1}, {"reduction": "none"}, {"reduction": "sum"}):
        assert cross_entropy(x, [0, 1], label_smoothing=0.1, **options).dtype == x.dtype


@pytest.mark.parametrize(
    ("f", "shapes"),
    [
        (functional.linear, [(1, 3), (2, 3), (2,)]),
        (along(-1), [(2, 3), (3,), (3,)]),
        (conv2d, [(1, 1, 3, 3), (2, 1, 2, 2), (2,)]),
        (conv_transpose2d, [(1, 1, 2, 2), (1, 2, 2, 2), (2,)]),
        (mse_loss, [(3,), (3,)]),
        (binary_cross_entropy_with_logits, [(3,), (3,)]),
    ],
)
def test_lists_of_numbers_are_operands(f: Any, shapes: list[tuple[int, ...]]) -> None:
    arrays = [np.random.default_rng(3).random(shape) for shape in shapes]
    for i in range(len(arrays)):
        slopes = []
        for given in (arrays, [a.tolist() for a in arrays]):
            t = Tensor(arrays[i], requires_grad=True)
            f(*given[:i], t, *given[i + 1 :]).sum().backward()
            slopes.append(t.grad.tolist())
        assert slopes[0] == slopes[1]
    assert type(f(*[a.tolist() for a in arrays])) is Tensor
