"""An answer reaches nothing but its own process, whoever grades."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.hold import rehearsal
from notebooks.notebook import ENVIRONMENT, ROOT
from tests.course.helpers.reach import REACHES

ANOTHER = 1000
# It is another user, who may read Python even where only root's folder has it.
AS_ANOTHER = (
    *("setpriv", f"--reuid={ANOTHER}", f"--regid={ANOTHER}", "--clear-groups"),
    *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),
)
IS_ROOT = os.getuid() == 0
USERS = [os.getuid(), *[ANOTHER] * IS_ROOT]
ON_LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere it is said, not held"
)


def called(user: int, *command: str) -> str:
    """Run Python as a user, and return what it prints."""
    above = AS_ANOTHER if user != os.getuid() else ()
    done = subprocess.run(
        [*above, sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, **ENVIRONMENT, "PYTHONPATH": str(ROOT), "HOME": "/nowhere"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(params=USERS)
def user(request: pytest.FixtureRequest) -> int:
    """Return who judges: this user, and another one."""
    return int(request.param)


@pytest.fixture
def place(user: int) -> Iterator[Path]:
    """Make an empty folder of that user's."""
    assert not IS_ROOT or shutil.which("setpriv")
    with tempfile.TemporaryDirectory() as name:
        os.chown(name, user, -1)
        yield Path(name)


@ON_LINUX
def test_an_answer_reaches_nothing(user: int, place: Path) -> None:
    found = json.loads(called(user, "-m", "tests.course.helpers.reach", str(place)))
    assert (found["user"], found["came"].keys()) == (user, REACHES.keys())
    wrong = {n: said for n, said in found["came"].items() if said != "PermissionError"}
    assert wrong == {"thread": "RuntimeError"}
    assert (found["right"], found["unchanged"]) == (3.0, True)


EVERY = """
import ctypes, errno, os, sys
from course.hold import calls, seccomp
from course.hold.confine import Limits, confine
column = seccomp.MACHINES[os.uname().machine][1]
lists = calls.ALLOWED, calls.TO_ITSELF, {k: n for k, (n, _) in calls.OPENING.items()}
known = {n[column] for one in lists for n in one.values()}
known |= {n[column] for n in calls.ASKING}
known |= {335, 336}  # the kernel's own way back from a probe: it ends who calls it
confine(Limits(), 0)
system = ctypes.CDLL(None, use_errno=True)
for number in {*range(600)} - known:
    ctypes.set_errno(0)
    done = system.syscall(number, 0, 0, 0, 0, 0, 0) != -1
    if done or ctypes.get_errno() != errno.EPERM:
        print(number, ctypes.get_errno())
"""


@ON_LINUX
def test_every_other_call_is_refused_the_next_kernel_s_too(user: int) -> None:
    assert called(user, "-c", EVERY) == ""


def without(*names: str) -> str:
    """Return a program that rehearses where the kernel lacks something."""
    patches = {
        "landlock": "confine.restrict = lambda _: 0",
        "seccomp": "confine.seccomp.refuse_calls = lambda: None",
    }
    return "\n".join(
        [
            "import sys",
            "from course.hold import confine, rehearsal",
            *(patches[name] for name in names),
            "rehearsal.main()",
        ]
    )


@ON_LINUX
@pytest.mark.parametrize(
    ("lacks", "of_oneself", "of_nobody"),
    [
        ((), set(), set()),
        (("landlock",), {"private", "public"}, {"public"}),
        (
            ("seccomp",),
            {"modes", "limits", "priorities", "sockets", "shared memory"},
            {"sockets", "shared memory"},
        ),
    ],
    ids=["nothing", "Landlock", "seccomp"],
)
def test_what_a_machine_does_not_hold_is_tried(
    user: int,
    place: Path,
    lacks: tuple[str, ...],
    of_oneself: set[str],
    of_nobody: set[str],
) -> None:
    for name, mode in (rehearsal.PRIVATE, 0o600), (rehearsal.PUBLIC, 0o644):
        (place / name).touch(mode)
        (place / name).chmod(mode)
        os.chown(place / name, user, -1)
    place.chmod(0o755)
    command = ["-c", without(*lacks), str(place)]
    judging = f"import subprocess, sys\nsubprocess.run([sys.executable, *{command!r}])"
    found = set(json.loads(called(user, "-c", judging)))
    assert found - {rehearsal.MODULES} == (of_oneself if user else of_nobody)


def test_what_is_not_held_is_said() -> None:
    (said,) = rehearsal.sentences(["private", "public", "signals"])
    assert said == (
        "Without a container, a student's code can read every file of yours, the key "
        "among them, end your other programs, this one too."
    )
    (said,) = rehearsal.sentences([rehearsal.MODULES])
    assert sys.base_prefix in said and "which not every user may read" in said
    assert list(rehearsal.sentences([])) == []
