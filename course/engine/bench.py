"""Judge one engine: read it, let it run in a process of its own, and count."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograd_lib.small.accidents.asked import STEPS
from autograd_lib.small.accidents.bench import ACCIDENTS
from autograd_lib.small.accidents.trial import FILES  # noqa: F401 - the accidents
from course.engine import drawn
from course.engine.refused import refusals
from course.hold.talk import BARE
from course.judge.verdict import Verdict
from course.sets.pieces import NO_PYTHON
from notebooks.notebook import ENVIRONMENT, ROOT

SECONDS, EACH = 60.0, 15.0  # for all accidents, and for one
AGAIN = 4  # times that it goes on behind an accident that ended its process
LARGEST = 200_000  # characters; the book's whole engine has 22,000
WHOLE = "whole"
ORDERED = sorted(ACCIDENTS, key=lambda a: STEPS.index(a.step))
"""All accidents, which are there once the modules of `trial` are imported."""
BY_HEART = "half of the points, since it is wrong on a graph that was drawn: {}"
ENDED = "The process ended here, or took longer than {:g} s. Is there no end to a loop?"


@dataclass(frozen=True)
class Lab:
    """What is marked of an engine: the accidents of some steps, or the whole file.

    Args:
        steps: the steps of the lab, in their order.
        base: the earlier ones, which the file may import and build on.
    """

    steps: tuple[str, ...]
    base: tuple[str, ...]

    @property
    def name(self) -> str:
        """What tables and pages are called."""
        return f"engine-{'whole' if self.steps == STEPS else '-'.join(self.steps)}"

    @property
    def accidents(self) -> list[str]:
        """The accidents that are marked, in the order of the steps."""
        return [str(a) for a in ORDERED if a.step in self.steps]


def lab(steps: Sequence[str]) -> Lab:
    """Return the lab of some steps; of ``whole``, that of all, without a base.

    Raises:
        ValueError: if there is no such step.
    """
    if list(steps) == [WHOLE]:
        return Lab(STEPS, ())
    if unknown := [s for s in steps if s not in STEPS] or not steps:
        known = ", ".join([*STEPS, WHOLE])
        raise ValueError(f"a lab is of steps, such as {known}; got {unknown}")
    asked = sorted({*steps}, key=STEPS.index)
    return Lab(tuple(asked), STEPS[: STEPS.index(asked[0])])


@dataclass
class Report:
    """What a process said of an engine."""

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    note: str = ""


def judged(of: Lab, source: str, seed: str) -> Report:
    """Return a verdict on each accident of a lab, and what else there is to say.

    Args:
        of: what is marked.
        source: the student's file.
        seed: what the graphs are drawn from.
    """
    if problem := read(source, of):
        return Report({}, problem)
    skip: dict[str, str] = {}
    said: list[dict[str, Any]] = []
    for _ in range(1 + AGAIN):
        said = list(conversation(of, source, seed, skip))
        begun = [s["begins"] for s in said if "begins" in s]
        if not begun or any({"drawn", "stopped"} & {*s} for s in said):
            break
        skip[begun[-1]] = ENDED.format(SECONDS)
    return report(of, said, seed)


def read(source: str, of: Lab) -> str:
    """Return why a file is not run at all, or an empty text."""
    if len(source) > LARGEST:
        return f"it has more than {LARGEST} characters"
    try:
        found = list(dict.fromkeys(refusals(source, of.base)))
    except NO_PYTHON as error:
        return f"{type(error).__name__}: {error}"
    more = f", and {len(found) - 3} more lines" if len(found) > 3 else ""
    return f"not run: {'; '.join(found[:3])}{more}" if found else ""


def conversation(
    of: Lab, source: str, seed: str, skip: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield what the process of an engine says, until it ends or has no more time."""
    ours, theirs = os.pipe()
    job: dict[str, Any] = {"source": source, "seed": seed, "skip": skip}
    job |= {"step": of.steps[-1], "base": of.base, "seconds": SECONDS, "each": EACH}
    process = subprocess.Popen(
        [sys.executable, "-m", "course.engine.attempt", str(theirs)],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=[theirs],
        cwd=ROOT,
        env={**BARE, **ENVIRONMENT, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    os.close(theirs)
    end = threading.Timer(SECONDS + 10, process.kill)
    end.start()
    try:
        if process.stdin is not None:
            with suppress(BrokenPipeError), process.stdin as pipe:
                pipe.write(json.dumps(job))
        with os.fdopen(ours, encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
    finally:
        end.cancel()
        process.kill()
        process.wait()


def report(of: Lab, said: Sequence[dict[str, Any]], seed: str) -> Report:
    """Return the verdicts from what a process said."""
    for key, why in (("tampered", "it changes {}"), ("stopped", "it stops with {}")):
        if found := [s[key] for s in said if s.get(key)]:
            return Report({}, why.format(found[0]))
    if not said or "drawn" not in said[-1]:
        return Report({}, "its process ended before it answered")
    statuses = {s["accident"]: s for s in said if "accident" in s}
    wrong = of_drawn(said, seed)
    point = 0.5 if wrong else 1.0
    verdicts = {}
    for name in of.accidents:
        if name in statuses:  # with tensors, those of single numbers are gone
            status, message = statuses[name]["status"], statuses[name]["message"]
            kind = {"passed": "right", "failed": "wrong"}.get(status, "missing")
            verdicts[name] = Verdict(kind, point * (kind == "right"), message)
    return Report(verdicts, BY_HEART.format(wrong) if wrong else "")


def of_drawn(said: Sequence[dict[str, Any]], seed: str) -> str:
    """Return what is wrong with the gradients of drawn graphs, or an empty text."""
    about = next(s for s in said if "arrays" in s)
    for graph, got in zip(drawn.graphs(seed), said[-1]["drawn"], strict=True):
        xs = drawn.inputs(seed, about["arrays"])
        expected = drawn.right(drawn.usable(graph, about["names"]), xs)
        if not drawn.agrees(got, expected):
            shown = got if isinstance(got, str) else str(rounded(got))
            return f"got {shown[:150]}, right is {rounded(expected)}"
    return ""


def rounded(gradients: Any) -> list[float]:
    """Return the sum of each gradient, as a message has it."""
    return [round(float(np.sum(g)), 4) for g in gradients]
