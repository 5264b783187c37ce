"""What Vector and the network refuse says what it was and what to do."""

from __future__ import annotations

import pytest

from autograd_lib.scalar.dot import Vector
from autograd_lib.scalar.nn import MLP


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Vector(3.0), "Vector: items must be a list of numbers, got 3.0"),
        (lambda: MLP(1, [1])(3.0), "needs its inputs as a list, got 3.0"),
    ],
)
def test_a_single_number_in_place_of_a_list_is_refused(make, message):
    with pytest.raises(TypeError, match=message):
        make()
