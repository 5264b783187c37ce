"""The process in which a student's engine runs: the accidents, then drawn graphs.

    python -m course.engine.attempt FD

A job comes as JSON over standard input. Before a line of the student's runs, this
process gives up what a child of the stage gives up, the library's files too, and the
package lacks all engines but those that the job names. What it says goes over the
descriptor, as lines of JSON.
"""

from __future__ import annotations

import builtins
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

import autograd_lib
import autograd_lib.small
from autograd_lib.book.limit import TookTooLong
from autograd_lib.small.accidents import bench, trial
from autograd_lib.small.accidents.bench import Accident, Engine, Wrong
from course.engine import drawn, refused
from course.hold.attempt import end_of_time
from course.hold.confine import Limits, confine

OWN = "mine"
EARLY = (
    *(name for name in sorted(refused.MODULES) if name != "__future__"),
    *("numpy.linalg", "numpy.random", "numpy.fft", "numpy._core._methods"),
    *("random", "secrets", "weakref"),
)
"""Modules that are imported before it gives up files, which it may not find then."""
WATCHED = ("numpy", "autograd_lib", "builtins", "math", "course")
LONG = 600  # characters of a message
Say = Callable[[dict[str, Any]], None]


def main() -> None:
    """Judge the engine that comes, and say what became of each accident."""
    job = json.loads(sys.stdin.read())
    sent = os.fdopen(int(sys.argv[1]), "w", encoding="utf-8")

    def say(what: dict[str, Any]) -> None:
        sent.write(json.dumps(what) + "\n")
        sent.flush()

    for name in EARLY:
        import_module(name)
    leave_only(job["base"])
    confine(Limits(job["seconds"]), 0, without_library=True)
    null = os.open(os.devnull, os.O_RDONLY)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    before = seen()
    watch(say, job, before)
    try:
        module = loaded(job["source"])
    except (Exception, SystemExit, TookTooLong) as error:
        say({"stopped": f"{type(error).__name__}: {error}"[:LONG]})
        return
    outcomes = trial.examine(module, job["step"])
    tampered = changed(before)
    for o in outcomes:
        say({"accident": str(o.accident), "step": o.accident.step,
             "status": o.status, "message": o.message[:LONG]})  # fmt: skip
    engine = Engine(module)
    say({"arrays": engine.of_arrays, "names": drawn.operations(engine),
         "tampered": tampered[:LONG]})  # fmt: skip
    say({"drawn": list(answers(engine, job["seed"]))})


def answers(engine: Engine, seed: str) -> Any:
    """Yield what an engine makes of each graph, or the error that it raises."""
    names = drawn.operations(engine)
    for graph in drawn.graphs(seed):
        try:
            xs = drawn.inputs(seed, engine.of_arrays)
            yield drawn.answered(engine, drawn.usable(graph, names), xs)
        except Exception as error:
            yield f"{type(error).__name__}: {error}"[:LONG]


def leave_only(base: list[str]) -> None:
    """Take the engines out of the package, but for some steps of the reader's."""
    kept = {"autograd_lib", "autograd_lib.small"}
    for step in base:
        kept.add(import_module(f"autograd_lib.small.{step}").__name__)
    for name in [n for n in sys.modules if n.partition(".")[0] == "autograd_lib"]:
        if name not in kept:
            del sys.modules[name]
    for package in (autograd_lib, autograd_lib.small):
        package.__path__ = []
    vars(autograd_lib).pop("__getattr__", None)


def loaded(source: str) -> ModuleType:
    """Run a student's file as a module, with what an engine needs of Python."""
    module = ModuleType(OWN)
    vars(module)["__builtins__"] = refused.builtins_left(imported)
    sys.modules[OWN] = module
    exec(compile(source, "mine.py", "exec"), vars(module))
    return module


def imported(name: str, *more: Any) -> Any:
    """Import what an engine may; NumPy itself asks for its modules as they are used."""
    home = name.partition(".")[0]
    if name not in refused.MODULES and home not in ("autograd_lib", "numpy"):
        raise ImportError(f"{name} is not there")
    return builtins.__import__(name, *more)


def watch(say: Say, job: dict[str, Any], before: dict[str, dict[str, Any]]) -> None:
    """Let each accident say that it begins, end in time, and notice what changed."""

    def watched(a: Accident) -> Accident:
        def program(engine: Engine) -> None:
            name = str(a)
            if name in job["skip"]:
                raise Wrong(job["skip"][name])
            say({"begins": name})
            signal.signal(signal.SIGALRM, end_of_time)
            signal.setitimer(signal.ITIMER_REAL, job["each"])
            try:
                a.program(engine)
            except TookTooLong:
                raise Wrong(f"No answer in {job['each']:g} s. {a.about}") from None
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                if what := changed(before):
                    say({"tampered": what[:LONG]})

        return replace(a, program=program)

    bench.ACCIDENTS[:] = [watched(a) for a in bench.ACCIDENTS]


def seen() -> dict[str, dict[str, Any]]:
    """Return what the names of NumPy, Python and the judge mean."""
    found = {
        name: dict(vars(module))
        for name, module in [*sys.modules.items()]
        if name.partition(".")[0] in WATCHED
    }
    for module in (bench, trial, *trial.FILES, drawn, refused):
        found[module.__name__] = dict(vars(module))
        JUDGE[module.__name__] = module
    return found


JUDGE: dict[str, ModuleType] = {}
"""The modules that hold the accidents, which are gone from `sys.modules`."""


def changed(before: dict[str, dict[str, Any]]) -> str:
    """Return a name that means something else now, or an empty text."""
    for name, meant in before.items():
        module = JUDGE.get(name) or sys.modules.get(name)
        now = vars(module) if module else {}
        for key, value in meant.items():
            if now.get(key) is not value and not key.startswith("__warningregistry"):
                return f"{name}.{key}"
    if np.asarray(np.allclose(1.0, 2.0)).any():
        return "numpy.allclose"
    return ""


if __name__ == "__main__":
    main()
