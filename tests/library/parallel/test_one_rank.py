"""One rank, without MPI: everything runs, and every mistake has its words."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from typing import Any

import numpy as np
import pytest

from autograd_lib import functional, parallel
from autograd_lib.check.checks import dotcheck, gradcheck, gradgradcheck
from autograd_lib.engine import Tensor
from autograd_lib.nn.layers import Linear
from autograd_lib.optim.algorithms import SGD
from autograd_lib.parallel import Ranks, launch
from autograd_lib.parallel.collectives import TRANSPOSES
from notebooks.notebook import ROOT, code_cells, read, tags

ALONE = Ranks()
X = np.random.default_rng(1).normal(size=(3, 4))
COLLECTIVES = [f for f in TRANSPOSES if f not in (parallel.send, parallel.receive)]


def test_a_transpose_of_a_transpose_is_the_collective() -> None:
    assert len(COLLECTIVES) == 7
    for operation, other in TRANSPOSES.items():
        assert TRANSPOSES[other] is operation


@pytest.mark.parametrize("operation", COLLECTIVES, ids=lambda f: f.__name__)
def test_one_rank_has_the_array_itself(operation: Any) -> None:
    def bent(x: Any) -> Any:
        return np.sin(operation(x, ranks=ALONE)) * x

    x = Tensor(X, requires_grad=True)
    y = operation(x, ranks=ALONE)
    assert np.array_equal(y.data, X)
    assert not np.shares_memory(y.data, x.data)
    gradcheck(bent, x)
    gradgradcheck(bent, x)
    dotcheck(bent, x)


def test_complex_numbers_pass() -> None:
    def size(z: Any) -> Any:
        y = parallel.sum_of_all(parallel.to_all(z, ALONE), ALONE)
        return (y * y.conj()).real.sum()

    np.testing.assert_allclose(functional.grad(size)(X + 1j).data, 2 * (X - 1j))


def test_the_world_is_one_rank_without_mpi() -> None:
    code = (
        "import sys; sys.modules['mpi4py'] = None\n"
        "from autograd_lib.parallel import world; print(world(), world().part(7))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True
    )
    assert done.stdout == b"rank 0 of 1 slice(0, 7, None)\n"


def test_parts_are_all_of_it_and_differ_by_one_at_most() -> None:
    for size in range(1, 6):
        for n in range(20):
            met = []
            for me in range(size):
                ranks = Ranks()
                ranks.me, ranks.size = me, size
                met.append(np.arange(n)[ranks.part(n)])
            assert np.concatenate(met).tolist() == list(range(n))
            assert max(map(len, met)) - min(map(len, met)) <= 1


def test_there_is_no_other_rank_to_send_to() -> None:
    with pytest.raises(ValueError, match="send: rank 0 of 1 needs another rank"):
        parallel.send(X, 1, ALONE)
    with pytest.raises(ValueError, match="receive: rank 0 of 1 needs another rank"):
        parallel.receive(parallel.token(), 0, ALONE)


def test_an_axis_that_is_not_there() -> None:
    for operation in (parallel.scatter, parallel.gather, parallel.all_to_all):
        with pytest.raises(ValueError, match=f"{operation.__name__}: axis=2"):
            operation(X, 2, ALONE)


def test_parts_that_cannot_be_equal() -> None:
    two = Ranks()
    two.size = 2
    with pytest.raises(ValueError, match=r"axis 0 of shape \(3, 4\) cannot be cut"):
        parallel.all_to_all(X, 0, two)


def test_layers_of_one_rank_are_the_whole() -> None:
    whole = Linear(4, 3, rng=2)
    for kind in (parallel.ColumnLinear, parallel.RowLinear):
        layer = kind(whole, ALONE)
        x = X.astype(np.float32)
        np.testing.assert_allclose(layer(x).data, whole(x).data, rtol=1e-6)
        assert [p.shape for p in layer.parameters()] == [(3, 4), (3,)]
        assert layer.weight is not whole.weight


def test_an_average_counts_examples_and_leaves_what_has_no_gradient() -> None:
    p, q = Tensor(X, requires_grad=True), Tensor(X, requires_grad=True)
    p.grad = Tensor(X)
    parallel.average_gradients([p, q], 5, ALONE)
    assert np.array_equal(p.grad.data, X)
    assert q.grad is None
    with pytest.raises(ValueError, match="no rank has an example"):
        parallel.average_gradients([p], 0, ALONE)


def test_a_relay_of_one_is_its_stage() -> None:
    x = Tensor(X, requires_grad=True)
    parallel.relay(lambda h: (h * h).sum(), x, ALONE).backward()
    assert np.array_equal(x.grad.data, 2 * X)


def test_sharded_refuses_what_it_cannot_cut() -> None:
    def sgd(params: Any) -> SGD:
        return SGD(params, lr=0.1)

    p = Tensor(X, requires_grad=True)
    single = Tensor(np.zeros(2, np.float32), True, np.float32)
    with pytest.raises(ValueError, match="float32, float64; make one Sharded for each"):
        parallel.Sharded(sgd, [p, single], ALONE)
    with pytest.raises(ValueError, match="one type of numbers, got none"):
        parallel.Sharded(sgd, [], ALONE)
    sharded = parallel.Sharded(sgd, [p], ALONE)
    with pytest.raises(RuntimeError, match=r"parameters \[0\] of 1 have no gradient"):
        sharded.step()
    p.grad = Tensor(np.ones_like(X))
    sharded.step()
    np.testing.assert_allclose(p.data, X - 0.1)
    sharded.zero_grad()
    assert p.grad is None


def test_a_function_of_a_page_runs_on_one_rank_where_there_is_no_mpi(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch, "found", lambda: None)

    def mine(ranks: Any) -> None:
        launch.say("here", ranks.size)

    assert launch.on_ranks(2)(mine) == ""
    assert capsys.readouterr().out == "(one rank: no mpiexec is here)\nrank 0: here 1\n"


def test_every_text_that_is_kept_belongs_to_a_cell() -> None:
    """So a page without MPI says what one with it says, and nothing old is kept."""
    kept = tomllib.loads(launch.FILE.read_text("utf-8"))
    (path,) = (ROOT / "chapters").glob("24_*.ipynb")
    cells = [c for c in code_cells(read(path)) if "on_ranks(" in c.source]
    said, about = list[str](), list[str]()  # lines, and those with times of one run
    for cell in cells:
        varies = "nbval-ignore-output" in tags(cell)
        lines = "".join(o.get("text", "") for o in cell.outputs).splitlines()
        (about if varies else said).extend(lines)
    told = Counter("".join(kept.values()).splitlines())
    exact = Counter(said)
    assert exact <= told
    assert sorted(map(without_numbers, (told - exact).elements())) == sorted(
        map(without_numbers, about)
    )
    assert len(kept) == len(cells) == 4  # the page runs four functions on ranks


def without_numbers(text: str) -> str:
    """Return what a text with times of one run has in common with that of another."""
    return re.sub(r" *[\d.]+", " 0", text)
