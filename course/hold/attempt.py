"""What the child of the stage does: a student's cell, then the book's harness on it.

Lines of JSON go over one socket. The first that comes is the job, and the first that it
sends says that it has given up what it must, before any code of the student's runs.
Then it says what became of the cell: it is ready, untouched, or stopped by an error. To
the inputs that come then, answers go back.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import json
import os
import signal
import socket
from collections.abc import Callable, Container, Mapping
from functools import cache
from types import CodeType, FunctionType
from typing import Any, BinaryIO

from autograd_lib.book.blame import told
from autograd_lib.book.exercise import empty
from autograd_lib.book.limit import TookTooLong
from course.hold.confine import Limits, confine
from course.hold.plain import packed, unpacked
from course.sets.page import Played, silent
from course.sets.pieces import statements
from course.sets.questions import VIA
from notebooks.notebook import bound

WITHHELD = "withheld"  # the file of what is not there
SAID = "what is said"
MISSING, FORBIDDEN = f"NameError({SAID!r}, name={SAID!r})", f"PermissionError({SAID!r})"
LONG = 300  # characters of an error's text


def alone(page: Played, job: Mapping[str, Any]) -> None:
    """Reduce this process to the state that a reader has before an exercise.

    The page loses what it has below the exercise. The functions that compute the
    expected answers lose their code, whatever refers to them, and so do those of the
    library that the exercise does without.
    """
    page.at(job["position"])
    page.before.clear()
    for name in job["withheld"]:
        function = page.names.pop(name)
        withhold(function, MISSING, name)
    places = tuple(f"{place}." for place in job["without"])
    for found in gc.get_objects() if places else ():
        if type(found) is FunctionType:
            name = f"{found.__module__}.{found.__qualname__}"
            if f"{name}.".startswith(places):
                place = next(p for p in places if f"{name}.".startswith(p))
                said = f"this exercise does without {place.rstrip('.')}"
                withhold(found, FORBIDDEN, said)


def withhold(function: FunctionType, kind: str, said: str) -> None:
    """Replace the code of a function: it raises an error of a kind, with a message."""
    code = code_of_none(kind, len(function.__code__.co_freevars))
    texts = tuple(said if one == SAID else one for one in code.co_consts)
    function.__code__ = code.replace(co_consts=texts)


@cache
def code_of_none(kind: str, count: int) -> CodeType:
    """Return the code of a function that raises an error and says `SAID`.

    Python puts it only where as many names come from around the function as before.
    """
    names = "".join(f"_{i}, " for i in range(count))
    lines = [
        "def around():",
        f"    {names or '_, '}= {'0, ' * max(1, count)}",
        "    def withheld(*_, **__):",
        f"        ({names})",
        f"        raise {kind}",
        "    return withheld",
    ]
    space: dict[str, Any] = {}
    exec(compile("\n".join(lines), WITHHELD, "exec"), space)
    code: CodeType = space["around"]().__code__
    return code


def perform(page: Played, end: socket.socket, place: int) -> None:
    """Run one attempt to its end; called in a process of its own, which ends here."""
    hear = end.makefile("rb")
    try:
        job = json.loads(hear.readline())
        alone(page, job)
        confine(Limits(**job["limits"]), place, bool(job["without"]))
    except (OSError, ValueError) as error:  # not the student's, whose code comes below
        say(end, {"fault": f"{type(error).__name__}: {error}"})
        return
    say(end, {"held": True})
    names = page.names
    try:
        attempt, failed = answer(names, job)
        use = harness(names, job, attempt)
    except (Exception, SystemExit) as error:
        say(end, refused(error))
        return
    if attempt is ... or empty(attempt):
        say(end, {"untouched": True})
        return
    say(end, {"ready": True, "failed": failed})
    ask_again(hear, end, use, attempt)


def answer(
    names: Mapping[str, Any], job: Mapping[str, Any]
) -> tuple[Any, dict[str, str]]:
    """Run the student's cell; return what it makes of the name that was asked for.

    Its statements run one by one. Once the name has a meaning, what stands below may
    fail, or take longer than a third of the time: there, an answer is tried out,
    written down and timed in ways that a notebook has and this process has not. By
    name, it also returns the errors of what those statements were to define.

    Raises:
        NameError: if the cell does not define the name.
    """
    theirs = {**names, "check": silent, "display": silent}
    asked = job["name"]
    theirs.pop(asked, None)
    failed = dict[str, str]()
    is_timed = False
    with contextlib.suppress(TookTooLong):
        for statement, text in statements(job["source"]):
            if asked in theirs and not is_timed:
                is_timed = True
                signal.signal(signal.SIGALRM, end_of_time)
                signal.setitimer(signal.ITIMER_REAL, job["limits"]["seconds"] / 3)
            try:
                exec(compile(text, "answer", "exec"), theirs)
            except TookTooLong:
                raise
            except BaseException as error:
                if asked not in theirs and not may_fail(
                    statement, error, job["withheld"]
                ):
                    raise
                failed |= dict.fromkeys(bound(text), refused(error)["error"])
    signal.setitimer(signal.ITIMER_REAL, 0)
    if asked not in theirs:
        raise NameError(f"the cell gives {asked} no meaning")
    return theirs[asked], failed


def end_of_time(*_: Any) -> None:
    """Raise TookTooLong, when a signal comes."""
    raise TookTooLong


def may_fail(
    statement: ast.stmt, error: BaseException, withheld: Container[str]
) -> bool:
    """Whether a statement that failed only shows, asserts or asks something.

    Here `check` says nothing, what computes its answers is not there, nor is what a
    notebook has for its magics.
    """
    called = getattr(getattr(statement, "value", None), "func", None)
    return isinstance(error, Exception | SystemExit) and (
        isinstance(statement, ast.Expr | ast.Assert)
        or (isinstance(called, ast.Name) and called.id == "check")
        or missing(error) == "get_ipython"
        or missing(error) in withheld
    )


def harness(
    names: Mapping[str, Any], job: Mapping[str, Any], attempt: Any
) -> Callable[..., Any] | None:
    """Return the check's `via`, defined with the book's names and not the student's."""
    if not job["harness"]:
        return None
    ours = {**names, "check": silent, job["name"]: attempt}
    exec(compile(job["harness"], "harness", "exec"), ours)
    use: Callable[..., Any] = ours[VIA]
    return use


def ask_again(
    hear: BinaryIO, end: socket.socket, use: Callable[..., Any] | None, attempt: Any
) -> None:
    """Answer one input after the other, until no more come."""
    for line in hear:
        args = unpacked(json.loads(line))
        try:
            got = attempt(*args) if use is None else use(attempt, *args)
            said = {"got": packed(got)}
        except (Exception, SystemExit) as error:
            text = told(error, attempt, use)
            said = {"raised": text[:LONG], "missing": missing(error)}
        say(end, said)


def refused(error: BaseException) -> dict[str, Any]:
    """Return the message about a cell that does not run."""
    text = f"{type(error).__name__}: {error}"
    return {"error": text[:LONG], "missing": missing(error)}


def missing(error: BaseException) -> str:
    """Return the undefined name that a NameError reports, else an empty text."""
    return str(getattr(error, "name", "") or "") if type(error) is NameError else ""


def say(end: socket.socket, what: Any) -> None:
    """Send one line."""
    end.sendall(json.dumps(what).encode() + b"\n")


def leave() -> None:
    """End this process at once, without running exit handlers."""
    os._exit(0)
