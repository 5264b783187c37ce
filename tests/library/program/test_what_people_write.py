"""Training steps as their authors write them, compiled, beside the same steps eager."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program import Refused, compile
from tests.library.helpers.training_steps import STEPS, Step, Task

CALLS = 40


def batches(calls: int = CALLS) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(3)
    several = rng.normal(size=(calls, 16, 4)).astype(np.float32)
    return [(x, np.sin(x.sum(1, keepdims=True))) for x in several]


def state(task: Task) -> list[Any]:
    """Return everything that a step leaves behind."""
    numbers = [task.best, task.n, task.optimizer.lr, getattr(task, "mean", 0.0)]
    arrays = [p.data for p in task.model.parameters()]
    lists = [*task.losses, *task.history["loss"], *task.history["rate"]]
    lists += [x for pair in getattr(task, "last", ()) for x in pair]
    return [*numbers, *lists, *arrays]


def kinds(x: Any) -> Any:
    """Return the types in a result."""
    if isinstance(x, dict):
        return {k: kinds(v) for k, v in x.items()}
    return tuple(map(kinds, x)) if isinstance(x, tuple) else type(x)


def close(a: Any, b: Any) -> bool:
    """Return whether two results agree but for rounding."""
    if isinstance(a, dict):
        return all(close(a[k], b[k]) for k in a)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(close, a, b))
    a, b = (getattr(x, "data", x) for x in (a, b))
    return (a is None and b is None) or np.allclose(a, b, 1e-3, 1e-5)


@pytest.mark.parametrize("name", STEPS)
def test_a_step_compiles_as_its_author_wrote_it(name: str) -> None:
    make = STEPS[name]
    eager, task = Task(), Task()
    plain, compiled = make(eager), compile(make(task))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n, (x, y) in enumerate(batches()):
            want, got = plain(x, y, n), compiled(x, y, n)
            assert kinds(got) == kinds(want)
            assert close(got, want), n
            assert close(state(task), state(eager)), n
            assert list(map(type, task.losses)) == list(map(type, eager.losses))
    assert not compiled.floor
    assert len(compiled.programs) <= 4, compiled.reasons
    assert sum(p.uses for p in compiled.programs) >= CALLS - 8


def test_a_schedule_inside_is_one_program() -> None:
    task = Task()
    compiled = compile(STEPS["scheduled"](task))
    for x, y in batches():
        compiled(x, y, 0)
    assert len(compiled.programs) == 1
    assert task.schedule.steps == CALLS
    assert task.optimizer.lr == 0.01 * 0.5 ** (CALLS / 10)


def test_it_prints_where_the_function_prints(capsys: Any) -> None:
    task, eager = Task(), Task()

    def step_of(task: Task) -> Step:
        def step(x: Any, y: Any, n: int) -> Any:
            task.n += 1
            loss = task.loss(x, y)
            if task.n % 10 == 0:
                print(f"{task.n}: {loss.item():.3f}", loss.shape)  # noqa: T201
            return loss.item()

        return step

    plain, compiled = step_of(eager), compile(step_of(task))
    for x, y in batches():
        want = plain(x, y, 0)
        expected = capsys.readouterr().out
        assert np.isclose(compiled(x, y, 0), want)
        assert capsys.readouterr().out == expected
    assert len(compiled.programs) == 2
    assert "prints" in compiled.reasons[-1] or "shows" in compiled.reasons[-1]
    assert close(state(task), state(eager))


def test_a_raise_at_nan_is_the_functions_own() -> None:
    task = Task()
    task.model.eval()
    (x, y), *_ = batches(1)

    def step(x: Any) -> Any:
        loss = nn.mse_loss(task.model(x), y)
        if np.isnan(loss.data):
            raise FloatingPointError("nan")
        return loss.item()

    compiled = compile(step)
    good = compiled(x)
    with pytest.raises(FloatingPointError, match="nan"):
        compiled(np.full_like(x, np.nan))
    assert compiled(x) == good


def test_a_loop_until_it_is_small_follows_the_numbers() -> None:
    @compile
    def halvings(x: Any) -> Any:
        n = 0
        while np.abs(x).max() > 1:
            x, n = x / 2, n + 1
        return x, n

    for size in (0.5, 3.0, 7.0, 0.25, 2.5):
        x, n = halvings(np.array([size, -size / 3]))
        assert n == max(0, int(np.ceil(np.log2(size))))
        assert x[0] == size / 2**n


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda t: float(t), r"write \.item\(\)"),
        (lambda t: int(t), r"write \.item\(\)"),
        (lambda t: t * float(t.item()), r"calculate with what that returns"),
    ],
)
def test_a_plain_number_is_refused_with_the_way_out(function: Any, words: str) -> None:
    with pytest.raises(Refused, match=words):
        compile(function)(Tensor(2.0))


def test_branches_on_elements_are_refused_with_the_way_out() -> None:
    x = np.array([1.0, -2.0])
    with pytest.raises(Refused, match=r"np\.where for if, or \.item\(\)"):
        compile(lambda x: [v if v > 0 else 0 for v in x])(x)
    chosen = compile(lambda x: 2 * x if x[0].item() > 0 else x)
    for sign in (1, -1, 1, -1):
        assert (chosen(sign * x) == (2 * x if sign > 0 else -x)).all()
    assert len(chosen.programs) == 2


def test_a_list_that_is_read_and_appended_to_is_refused() -> None:
    kept: list[float] = []

    def step(x: Any) -> Any:
        kept.append(x.sum().item())
        return len(kept)

    with pytest.raises(Refused, match="it reads kept, to which it appends"):
        compile(step)(np.ones(3))
    assert kept == []


def test_what_a_call_hands_out_is_of_one_kind() -> None:
    holder = SimpleNamespace(w=Tensor([1.0, 2.0], requires_grad=True))

    @compile
    def step(x: Any) -> Any:
        holder.w.data += x
        return holder.w.data, holder.w, holder.w.detach()

    handed = []
    for n in range(20):
        handed.append(step(np.ones(2)))
        if n == 17:
            step.floor = "on purpose"
    for n, (array, tensor, detached) in enumerate(handed):
        for x in (array, tensor.data, detached.data):
            assert x.tolist() == [n + 2.0, n + 3.0]
        assert not np.shares_memory(array, holder.w.data)
        assert tensor is not holder.w and tensor.requires_grad
        with pytest.raises(Refused, match="a derivative is asked for"):
            tensor.sum().backward()


def test_the_net_runs_at_powers_of_two() -> None:
    at = []
    compiled = compile(double := lambda x: 2 * x)
    compiled(np.ones(2))
    compiled.function = lambda x: (at.append(n), double(x))[1]
    for n in range(2, 40):
        compiled(np.full(2, float(n)))
    assert at == [2, 4, 8, 16, 32]
