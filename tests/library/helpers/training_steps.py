"""Training steps as their authors write them, each made for a task of its own."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib import nn
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.optim import Adam, LambdaLR
from autograd_lib.optim.clipping import clip_grad_norm

Step = Callable[[np.ndarray, np.ndarray, int], Any]


class Task:
    """A small regression with everything that a step may use."""

    def __init__(self) -> None:
        layers = nn.Linear(4, 8, rng=1), nn.Dropout(0.1, rng=3), nn.Linear(8, 1, rng=2)
        self.model = nn.Sequential(*layers[:2], nn.Tanh(), layers[2])
        self.optimizer = Adam(self.model.parameters(), 0.01)
        self.schedule = LambdaLR(self.optimizer, lambda n: 0.5 ** (n / 10))
        self.losses: list[Any] = []
        self.history: dict[str, list[Any]] = {"loss": [], "rate": []}
        self.best, self.n, self.lines = float("inf"), 0, list[str]()

    def loss(self, x: np.ndarray, y: np.ndarray) -> Tensor:
        self.optimizer.zero_grad()
        loss = nn.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss


def returned(task: Task) -> Step:
    return lambda x, y, n: task.loss(x, y).item()


def appended(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> None:
        task.losses.append(task.loss(x, y).item())

    return step


def appended_tensor(task: Task) -> Step:
    losses = task.losses

    def step(x: Any, y: Any, n: int) -> None:
        loss = task.loss(x, y)
        losses.append(loss.detach())

    return step


def into_history(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        loss = task.loss(x, y)
        task.history["loss"].append(loss.item())
        task.history["rate"] += [task.optimizer.lr]
        return loss.detach()

    return step


def best(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        task.best = min(task.best, task.loss(x, y).item())
        return task.best

    return step


def best_or_none(task: Task) -> Step:
    best: Any = None

    def step(x: Any, y: Any, n: int) -> Any:
        nonlocal best
        loss = task.loss(x, y).item()
        if best is None or loss < best:
            best = loss
        return best

    return step


def raises_at_nan(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        loss = task.loss(x, y)
        if np.isnan(loss.data):
            raise FloatingPointError("nan")
        return loss.item()

    return step


def counter(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        task.n += 1
        loss = task.loss(x, y)
        return loss.item() / task.n

    return step


def int_argument(task: Task) -> Step:
    return lambda x, y, n: task.loss(x * 0.9**n, y).detach()


def scheduled(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        loss = task.loss(x, y)
        task.schedule.step()
        return loss.item()

    return step


def clipped(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        task.optimizer.zero_grad()
        loss = nn.mse_loss(task.model(x), y)
        loss.backward()
        norm = clip_grad_norm(task.model.parameters(), 1.0)
        task.optimizer.step()
        return loss.item(), norm

    return step


def averaged(task: Task) -> Step:
    task.mean = 0.0  # type: ignore[attr-defined]

    def step(x: Any, y: Any, n: int) -> Any:
        loss = task.loss(x, y)
        task.mean = 0.9 * task.mean + 0.1 * loss.item()  # type: ignore[attr-defined]
        return round(task.mean, 6)  # type: ignore[attr-defined]

    return step


def accuracy(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        loss = task.loss(x, y)
        right = (np.sign(task.model(x).data) == np.sign(y)).mean().item()
        return {"loss": loss.item(), "right": right, "n": n}

    return step


def early_stop(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        loss = task.loss(x, y)
        return loss.item() < 0.5, loss.item()

    return step


def by_hand(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        task.n += 1
        task.optimizer.lr = 0.005 * (1 + math.cos(math.pi * task.n / 50))
        loss = task.loss(x, y)
        if not math.isfinite(loss.item()):
            raise FloatingPointError("not finite")
        return math.sqrt(loss.item())

    return step


def of_the_last_ten(task: Task) -> Step:
    task.last = deque(maxlen=10)  # type: ignore[attr-defined]

    def step(x: Any, y: Any, n: int) -> Any:
        loss = task.loss(x, y)
        task.last.append((loss.item(), task.optimizer.lr))  # type: ignore[attr-defined]
        return loss.item()

    return step


def every_fourth(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        loss = nn.mse_loss(task.model(x), y)
        (loss / 4).backward()
        task.n += 1
        if task.n % 4 == 0:
            task.optimizer.step()
            task.optimizer.zero_grad()
            task.losses.append(loss.item())
        return loss.item()

    return step


def patience(task: Task) -> Step:
    def step(x: Any, y: Any, n: int) -> Any:
        loss = task.loss(x, y).item()
        if loss < task.best - 0.05:
            task.best, task.n = loss, 0
        else:
            task.n += 1
            if task.n > 3:
                for group in task.optimizer.param_groups:
                    group["lr"] *= 0.5
                task.n = 0
        return loss

    return step


STEPS = {
    f.__name__: f
    for f in (
        returned,
        appended,
        appended_tensor,
        into_history,
        best,
        best_or_none,
        raises_at_nan,
        counter,
        int_argument,
        scheduled,
        clipped,
        averaged,
        accuracy,
        early_stop,
        by_hand,
        of_the_last_ten,
        every_fourth,
        patience,
    )
}
