"""A plain number as result has lost its tangent, and is refused as in `grad`."""

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import Tensor, functional

X = Tensor([2.0, 3.0])
LOST = {
    "item": lambda x: (x * 3).sum().item(),
    "data": lambda x: x.data * 3,
    "a number": lambda x: 3.0,
    "nothing": lambda x: None,
    "in a list": lambda x: [x * 3, x.data],
    "in a dictionary": lambda x: {"y": x * 3, "loss": 1.0},
}
WAYS = {
    "jvp": lambda f: ag.jvp(f, (X,), (X,)),
    "jvps": lambda f: ag.jvps(f, X, np.ones((4, 2))),
    "make_jvp": lambda f: ag.make_jvp(f)(X)(X),
    "jacfwd": lambda f: ag.jacfwd(f)(X),
    "grad_and_hvp": lambda f: ag.grad_and_hvp(f, X, X),
}


@pytest.mark.parametrize("name", LOST)
@pytest.mark.parametrize("way", [way for way in WAYS if hasattr(ag, way)])
def test_forward_mode_refuses_a_result_without_a_tangent(way, name):
    with pytest.raises(TypeError, match=r"the result.* not a tensor"):
        WAYS[way](LOST[name])


def test_reverse_mode_says_the_same():
    with pytest.raises(TypeError) as reverse:
        functional.vjp(LOST["data"], X)
    with pytest.raises(TypeError) as forward:
        ag.jvp(LOST["data"], (X,), (X,))
    said = [str(error.value).partition(":")[2] for error in (reverse, forward)]
    assert said[0] == said[1]


def test_a_constant_tensor_does_not_move():
    y, dy = ag.jvp(lambda x: Tensor(3.0), (X,), (X,))
    assert (y.item(), dy.item()) == (3.0, 0.0)


def test_what_stands_beside_the_result_may_be_a_number():
    found = ag.jvp(lambda x: (x * 3, 1.5), (X,), (X,), has_aux=True)
    assert found[2] == 1.5
