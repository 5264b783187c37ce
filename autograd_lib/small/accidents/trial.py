"""Run accidents on an engine: one of yours, or the one of a page."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from autograd_lib.small.accidents import (
    arrays,
    choices,
    models,
    names,
    scalars,
    training,
)
from autograd_lib.small.accidents.asked import (
    ASKED,
    NAMES,
    SCALARS,
    STEPS,
    TITLES,
    USED,
)
from autograd_lib.small.accidents.bench import (
    ACCIDENTS,
    Accident,
    Engine,
    Wrong,
    hinted,
)

FILES = scalars, arrays, names, choices, training, models
"""The modules with the accidents, which add to `ACCIDENTS` when they are imported."""

PACKAGE = "autograd_lib."
Status = Literal["passed", "failed", "not yet"]


@dataclass(frozen=True)
class Outcome:
    """What an accident said of an engine.

    Attributes:
        accident: which one.
        status: "passed", "failed" or "not yet".
        message: what it got, what is right and what to think about; or the lines that
            a page asks for. Empty if it passed.
        page: the step whose page asks for what is not yet there.
    """

    accident: Accident
    status: Status
    message: str = ""
    page: str = ""

    def __str__(self) -> str:
        mark = {"passed": "✓", "failed": "✗", "not yet": "·"}[self.status]
        said = f": {self.message}" if self.message else ""
        return f"{mark} {self.accident}{said}"


def load(path: str | Path) -> ModuleType:
    """Return a file of Python as a module, under a name that no other module has.

    Raises:
        FileNotFoundError: if there is no such file.
        Exception: whatever the file raises.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(
            f"load: there is no file {path}; give the path of yours"
        )
    spec = importlib.util.spec_from_file_location(f"_engine_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(
            f"load: {path} is no file of Python; its name ends in .py"
        )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        if not (error.text or "").startswith("%%engine"):
            raise
        said = f"line {error.lineno} is %%engine: leave such lines in the notebook"
        raise SyntaxError(said) from None
    return module


def borrowed(module: Any) -> list[str]:
    """Return which of the names that pages ask for come from the book's package.

    >>> from types import SimpleNamespace
    >>> from autograd_lib.small.gpt import Tensor
    >>> borrowed(SimpleNamespace(Tensor=Tensor, grad=len))
    ['Tensor']
    """
    names = [name for name in ASKED if "." not in name]
    homes = {n: getattr(getattr(module, n, None), "__module__", "") for n in names}
    return [name for name, home in homes.items() if f"{home}".startswith(PACKAGE)]


def examine(module: Any, upto: str | None = None) -> list[Outcome]:
    """Run all accidents whose names an engine has.

    Args:
        module: the engine's module, or any object that has its names.
        upto: the last step whose accidents are run; all, if None.

    Returns:
        An outcome for each accident, in the order of the steps. Those of scalars for
        which an engine of tensors has no names are left out, but not those that wait
        for `grad`.

    Raises:
        ValueError: if there is no such step.
    """
    last = STEPS[-1] if upto is None else upto
    if last not in STEPS:
        raise ValueError(f"examine: no step is called {upto!r}: {', '.join(STEPS)}")
    runs = STEPS[: STEPS.index(last) + 1]
    ordered = sorted(ACCIDENTS, key=lambda accident: STEPS.index(accident.step))
    engine = Engine(module)
    if engine.of_arrays:
        gone = [a for a in ordered if engine.lacks(a) and not engine.waits(a)]
        ordered = [a for a in ordered if a.step not in SCALARS or a not in gone]
    return [run(a, module) for a in ordered if a.step in runs]


def run(accident: Accident, module: Any) -> Outcome:
    """Run one accident on an engine that may have the names which it needs, or not."""
    engine = Engine(module)
    if missing := engine.lacks(accident):
        waits = engine.waits(accident)
        page, name = ("tensor", "grad") if waits else (accident.step, missing[0])
        said = f"the page “{TITLES[page]}” asks for {ASKED[name]}"
        return Outcome(accident, "not yet", said, page)
    try:
        with _as_before(module):
            accident.program(engine)
    except Wrong as wrong:
        where = _line(wrong.__cause__, module)
        return Outcome(accident, "failed", f"{wrong}{where}")
    except Exception as error:
        said = f"It stopped with {type(error).__name__}: {str(error)[:160]!r}."
        where = _line(error, module)
        if not (isinstance(error, NameError | AttributeError) and where):
            about = hinted(error, accident.about)  # no name was missing in the file
            said = f"{said} {about}"
        return Outcome(accident, "failed", f"{said}{where}")
    return Outcome(accident, "passed")


def lacks(module: Any, page: str) -> dict[str, str]:
    """Return the names that a page uses and an engine has not, with a line for each.

    No accident asks for these names, so an engine that passes all may have others.

    Args:
        module: the engine's module.
        page: what the page adds, such as "order", or "after graph" for a page that adds
            nothing to what a step left.
    """
    after = "" if page in STEPS else "after "
    title = f"the page {after}“{TITLES[page.split()[-1]]}”"
    names = [name for name in USED.get(page, ()) if not _found(module, name)]
    return {name: f"· names: {title} asks for {NAMES[name]}" for name in names}


def names_for(module: Any, outcomes: list[Outcome]) -> list[str]:
    """Return a line for each name that an engine has not, and pages use.

    They are the pages for which its accidents say that it is ready.
    """
    open_ = {o.accident.step for o in outcomes if o.status != "passed"}
    steps = [*takewhile(lambda step: step not in open_, STEPS)]
    ran = {o.accident.step for o in outcomes}
    of_numbers = SCALARS if Engine(module).of_arrays else ()
    lines: dict[str, str] = {}
    for step in (s for s in steps if s in ran and s not in of_numbers):
        lines = lacks(module, step) | lacks(module, f"after {step}") | lines
    return [*lines.values()]


def _found(module: Any, name: str) -> bool:
    """Whether an engine has a name, or a leaf has, of one such as "Tensor.node"."""
    home, _, of_leaf = name.partition(".")
    try:
        attrgetter(of_leaf or home)(Engine(module).leaf(1.0) if of_leaf else module)
    except Exception:
        return False
    return True


def report(outcomes: list[Outcome]) -> list[str]:
    """Return a line for each accident, what failed first; then what comes next.

    That is a line for each name which the next page asks for, and one for all later.
    """
    lines = [str(o) for s in ("failed", "passed") for o in outcomes if o.status == s]
    not_yet = [outcome for outcome in outcomes if outcome.status == "not yet"]
    missing: dict[str, list[Accident]] = {}
    for outcome in not_yet:
        if outcome.page == not_yet[0].page:
            missing.setdefault(outcome.message, []).append(outcome.accident)
    for message, (first, *others) in missing.items():
        more = f" and {len(others)} more" if others else ""
        lines.append(f"· {first}{more}: {message}")
    if later := len(not_yet) - sum(map(len, missing.values())):
        lines.append(f"· and {later} more on later pages")
    return lines


def _line(error: BaseException | None, module: Any) -> str:
    """Return where in the engine's own file an error was raised last, if it was."""
    own = {getattr(thing, "__code__", None) for thing in vars(module).values()}
    files = {code.co_filename for code in own if code is not None}
    files = {f for f in files if getattr(module, "__file__", None) in (None, f)}
    frames = traceback.extract_tb(error.__traceback__) if error else []
    for frame in reversed(frames):
        if frame.filename in files:
            return f" (Line {frame.lineno} of {Path(frame.filename).name}.)"
    return ""


@contextmanager
def _as_before(module: Any) -> Iterator[None]:
    """Put back switches such as `recording`, which an accident may leave turned."""
    names = vars(module)
    before = {k: v for k, v in names.items() if isinstance(v, bool | None)}
    try:
        yield
    finally:
        names.update(before)
