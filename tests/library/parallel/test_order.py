"""Ranks whose operations have their operands in another order, or that differ.

Collectives that ranks record in one order are transposed in one order, whatever each
rank does with their results. What they give as a shared array is compared in checked
mode.
"""

import pytest

from tests.library.parallel.launching import run

HEAD = """
import numpy as np
from autograd_lib import Tensor, checkpoint, grad, jvp
from autograd_lib import parallel as P

ranks = P.world()
ranks.checked = CHECKED
START = np.array([3.0, 1.0, 2.0, 5.0])

def leaf(numbers=START):
    return Tensor(numbers, requires_grad=True)

def say(text):
    for rank in range(ranks.size):
        if rank == ranks.me:
            print(rank, text, flush=True)
        ranks.objects(None)
"""

ORDERS = """
WAYS = {
    "to_all": P.to_all,
    "scatter": P.scatter,
    "sum_of_all": lambda x: P.sum_of_all(P.to_all(x)),
    "all_gather": lambda x: P.all_gather(P.scatter(x)),
    "gather": lambda x: P.gather(P.scatter(x)),
    "reduce_scatter": lambda x: P.reduce_scatter(P.to_all(x)),
    "all_to_all": lambda x: P.all_to_all(P.to_all(x)),
}

def product(f, x, turned):
    a, b, c = f(x), f(x * x), f(x * x * x)
    return (c * (b * a) if turned else (a * b) * c).sum()

def slopes(f, turned):
    x = leaf()
    product(f, x, turned).backward()
    (g,) = grad(product(f, y := leaf(), turned), y, create_graph=True)
    (h,) = grad((g * g).sum(), y)
    z = leaf()
    tangent = jvp(lambda v: product(f, v, turned), (z,), (z,))[1]
    tangent.backward()
    w = leaf()
    checkpoint(lambda v: product(f, v, turned), w).backward()
    return x.grad.data, h.data, z.grad.data, w.grad.data

for name, f in WAYS.items():
    mixed = slopes(f, turned=ranks.me == 0)
    alike = slopes(f, turned=False)
    right = all(np.allclose(a, b, rtol=1e-12) for a, b in zip(mixed, alike))
    say(f"{name} {right}")
"""

A_SET = """
p = {"weights": leaf(), "biases": leaf(START + 4)}
loss = 0.0
for name in sorted(p, reverse=ranks.me == 0):
    loss = loss + (P.SHARED(p[name]) ** 2).sum()
loss.backward()
say("not noticed")
"""

ROUNDED = """
x = leaf(START * (1 + 1e-15 * ranks.me))
(P.to_all(x) ** 2).sum().backward()
say(len(x.grad.data))
"""


def lines(n, checked, program):
    head = HEAD.replace("CHECKED", str(checked))
    return run(n, "-c", head + program)


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("n", [2, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_the_order_of_recording_decides(n, checked):
    done = lines(n, checked, ORDERS)
    assert done.returncode == 0, done.stderr
    said = done.stdout.split("\n")
    assert sum(line.endswith("True") for line in said) == 7 * n, done.stdout


@pytest.mark.parametrize("way", ["to_all", "scatter"])
def test_checked_ranks_notice_that_they_mean_different_arrays(way):
    done = lines(2, True, A_SET.replace("SHARED", way))
    assert done.returncode != 0
    assert f"ranks 0 and 1 are in {way}" in done.stderr
    assert "with different numbers" in done.stderr
    assert "not noticed" not in done.stdout


def test_checked_ranks_allow_for_rounding():
    done = lines(2, True, ROUNDED)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0", "4", "1", "4"]
