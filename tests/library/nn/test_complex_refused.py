"""What would lose an imaginary part, or square it with the real one, is refused.

Scores may be complex: `gradcheck` takes a complex step through `cross_entropy`.
"""

import numpy as np
import pytest

from autograd_lib import Tensor, functional, nn

Z = np.array([[1 + 2j, 1 - 2j, 3.0], [0, 1j, 2]])
R = np.ones((2, 3))
BCE = nn.binary_cross_entropy_with_logits

CALLS = {
    "mse_loss": lambda z: nn.mse_loss(z, R),
    "mse_loss, target": lambda z: nn.mse_loss(Tensor(R), z),
    "bce": lambda z: BCE(z, R),
    "bce, target": lambda z: BCE(Tensor(R), z),
    "bce, weight": lambda z: BCE(Tensor(R), R, weight=z),
    "bce, pos_weight": lambda z: BCE(Tensor(R), R, pos_weight=z),
    "cross_entropy, shares": lambda z: nn.cross_entropy(Tensor(R), z),
    "cross_entropy, weight": lambda z: nn.cross_entropy(Tensor(R), [0, 1], weight=z[0]),
    "nll_loss, weight": lambda z: nn.nll_loss(Tensor(R), [0, 1], weight=z[0]),
    "MaxPool2d": lambda z: nn.MaxPool2d(1)(z[None, None]),
    "AvgPool2d": lambda z: nn.AvgPool2d(1)(z[None, None]),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", [Tensor, np.asarray])
def test_complex_numbers_are_refused(name, kind):
    with pytest.raises(TypeError, match=r"real numbers|labels are integers"):
        CALLS[name](kind(Z))


@pytest.mark.parametrize("name", ["mse_loss", "mse_loss, target", "bce, target"])
def test_complex_numbers_are_refused_where_a_gradient_is_wanted(name):
    with pytest.raises(TypeError, match="takes real numbers"):
        functional.grad(lambda x: CALLS[name](x * 1j).real)(Tensor(R))
