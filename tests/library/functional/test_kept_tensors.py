"""A tensor that left an earlier call of a function, whose graph is gone."""

import numpy as np
import pytest

from autograd_lib import Tensor, functional

TRANSFORMS = {
    "grad": functional.grad,
    "value_and_grad": functional.value_and_grad,
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_the_message_says_that_a_tensor_was_kept(name):
    kept = [Tensor(2.0)]

    def f(y):
        kept[0] = y * kept[0]
        return np.sin(kept[0])

    transformed = TRANSFORMS[name](f)
    transformed(Tensor(1.0))
    with pytest.raises(RuntimeError) as error:
        transformed(Tensor(1.0))
    assert "kept when it was called last" in str(error.value)
    assert "retain_graph" not in str(error.value)


def test_what_it_advises_works():
    kept = [Tensor(2.0)]

    def f(y):
        z = y * kept[0]
        kept[0] = z.detach()
        return z

    slope = functional.grad(f)
    assert [slope(Tensor(3.0)).item() for _ in range(3)] == [2.0, 6.0, 18.0]
