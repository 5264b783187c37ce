"""A setting is checked when it is assigned, as when the object is made."""

import numpy as np
import pytest

from autograd_lib import Tensor
from autograd_lib.nn import BatchNorm, Dropout, LayerNorm
from autograd_lib.optim import SGD, Adam, AdamW, LambdaLR


def parameters():
    return [Tensor([1.0, 2.0], requires_grad=True)]


OBJECTS = {
    "SGD": lambda: SGD(parameters(), lr=0.1, momentum=0.9),
    "Adam": lambda: Adam(parameters()),
    "AdamW": lambda: AdamW(parameters()),
    "Dropout": Dropout,
    "BatchNorm": lambda: BatchNorm(2),
    "LayerNorm": lambda: LayerNorm(2),
}
NO_NUMBERS = (-0.1, np.nan, np.inf, True, "0.1", None, 1j)
WRONG = [
    *[("SGD", n, v) for n in ("lr", "momentum", "weight_decay") for v in NO_NUMBERS],
    *[("Adam", n, v) for n in ("lr", "eps", "weight_decay") for v in NO_NUMBERS],
    *[("AdamW", n, v) for n in ("lr", "eps", "weight_decay") for v in NO_NUMBERS],
    *[("Adam", "betas", (b, 0.9)) for b in (1.0, *NO_NUMBERS)],
    *[("AdamW", "betas", (0.9, b)) for b in (1.0, *NO_NUMBERS)],
    *[("Adam", "betas", v) for v in (0.9, (0.9,), (0.9, 0.9, 0.9))],
    *[("SGD", "nesterov", v) for v in (1, "yes", None)],
    *[("Dropout", "p", v) for v in (1.5, *NO_NUMBERS)],
    *[("BatchNorm", "momentum", v) for v in (1.5, *NO_NUMBERS) if v is not None],
    *[(layer, "eps", v) for layer in ("BatchNorm", "LayerNorm") for v in NO_NUMBERS],
]


@pytest.mark.parametrize(("name", "setting", "value"), WRONG)
def test_a_wrong_setting_is_refused_and_nothing_changes(name, setting, value):
    thing = OBJECTS[name]()
    before = getattr(thing, setting)
    with pytest.raises((TypeError, ValueError), match=f"{name}: .*{setting}"):
        setattr(thing, setting, value)
    assert getattr(thing, setting) == before


def test_the_message_names_the_setting():
    o = Adam(parameters())
    with pytest.raises(ValueError, match=r"Adam: the first of betas .* below 1, got 1"):
        o.betas = (1.0, 0.9)


@pytest.mark.parametrize("value", [-0.1, np.nan, True, "0.1"])
def test_a_group_is_checked_at_the_step(value):
    p = parameters()
    o = SGD([{"params": p, "lr": 0.1}], lr=0.1)
    o.param_groups[0]["lr"] = value
    (p[0] * p[0]).sum().backward()
    with pytest.raises((TypeError, ValueError), match="SGD: lr"):
        o.step()
    np.testing.assert_array_equal(p[0].data, [1.0, 2.0])


def test_a_momentum_that_is_assigned_later_counts():
    p, q = parameters(), parameters()
    late, early = SGD(p, lr=0.1), SGD(q, lr=0.1, momentum=0.9)
    late.momentum = 0.9
    for _ in range(3):
        for o, (x,) in ((late, p), (early, q)):
            o.zero_grad()
            (x * x).sum().backward()
            o.step()
    np.testing.assert_array_equal(p[0].data, q[0].data)
    assert late.state_dict().keys() == early.state_dict().keys()


def test_nesterov_needs_a_momentum_whenever_either_is_assigned():
    o = SGD(parameters(), lr=0.1)
    with pytest.raises(ValueError, match="nesterov needs a momentum"):
        o.nesterov = True
    o.momentum, o.nesterov = 0.9, True
    with pytest.raises(ValueError, match="nesterov"):
        o.momentum = 0
    assert o.momentum == 0.9


def test_a_schedule_that_is_replaced_is_checked_when_it_is_asked():
    o = SGD(parameters(), lr=0.1)
    schedule = LambdaLR(o, lambda step: 1.0)
    schedule.lr_lambda = lambda step: -1.0
    with pytest.raises(ValueError, match="LambdaLR"):
        schedule.step()
    assert o.lr == 0.1
