"""Names of writes in place that tensors do not have, such as PyTorch's `index_add_`."""

from __future__ import annotations

from typing import Any

from tests.library.hints.hint import Hint, hint
from tests.library.hints.tensors import NEAR, OTHER, PAIRS, UNIQUE_PLACES, VALUES


def case_of_write(ours: str, theirs: str, **given: Any) -> Hint:
    """Return the case of a write, into a result, since leaves refuse."""
    return hint(
        ours,
        torch=f"t = 2 * t\n{theirs}",
        then="t",
        before="t = 2 * t",
        **given,
    )


OWN: dict[str, Hint] = {
    "add_": case_of_write("t += other", "t.add_(other)", **OTHER),
    "clamp_": case_of_write(
        "t[...] = t.copy().clip(low, high)", "t.clamp_(low, high)", low=-1.25, high=2.0
    ),
    "copy_": case_of_write("t[...] = values", "t.copy_(values)", values=VALUES),
    "div_": case_of_write("t /= other", "t.div_(other)", other=NEAR),
    "exp_": case_of_write("t[...] = np.exp(t)", "t.exp_()", t=NEAR),
    "fill_": case_of_write("t[...] = number", "t.fill_(number)", number=7.0),
    "index_add_": case_of_write(
        "np.add.at(t, index, values)",
        "t.index_add_(0, index, values)",
        index=[0, 0, 2],
        values=VALUES,
    ),
    "index_copy_": case_of_write(
        "t[index] = values",
        "t.index_copy_(0, index, values)",
        index=[1, 0, 2],
        values=VALUES,
    ),
    "index_fill_": case_of_write(
        "t[index] = number", "t.index_fill_(0, index, number)", index=[0, 2], number=3.0
    ),
    "log_": case_of_write("t[...] = np.log(t.copy())", "t.log_()", t=NEAR),
    "masked_fill_": case_of_write(
        "t[mask] = value",
        "t.masked_fill_(mask, value)",
        mask=[[True, False, True, False]] * 3,
        value=-1.5,
    ),
    "mul_": case_of_write("t *= other", "t.mul_(other)", **OTHER),
    "neg_": case_of_write("t *= -1", "t.neg_()"),
    "pow_": case_of_write("t **= n", "t.pow_(n)", n=3),
    "relu_": case_of_write("t[...] = t.relu()", "t.relu_()"),
    "scatter_": case_of_write(
        "np.put_along_axis(t, indices, values, axis)",
        "t.scatter_(axis, indices, values)",
        indices=UNIQUE_PLACES,
        values=PAIRS,
        axis=1,
    ),
    "sigmoid_": case_of_write("t[...] = t.sigmoid()", "t.sigmoid_()"),
    "sqrt_": case_of_write("t[...] = np.sqrt(t)", "t.sqrt_()", t=NEAR),
    "sub_": case_of_write("t -= other", "t.sub_(other)", **OTHER),
    "tanh_": case_of_write("t[...] = np.tanh(t)", "t.tanh_()"),
}
WRITES = {("a tensor", name): case for name, case in OWN.items()}
