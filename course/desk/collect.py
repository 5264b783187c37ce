"""Read what was handed in: a folder, a zip, a download of Canvas's or Moodle's, a list.

A list is a text file of a student and the address of a repository in each line. Files
are read where they lie, or in memory; nothing is unpacked, and no link is followed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath

from nbformat import NotebookNode, reads

from course.desk import free_response
from course.desk.alike import print_of
from course.desk.deadline import TookTooLong, deadline
from course.desk.roster import Who, who
from course.hold.confine import bound_files
from course.hold.safe import line, visible
from course.judge.find import LONGEST, Answer, answers, which
from course.sets.needed import free_names
from course.sets.questions import Set
from notebooks.notebook import code_cells

LARGEST = 50 * 2**20  # bytes of a notebook, and of all that one student handed in
FEW = 5  # files of one student that are read, the last ones
CODE = 2**20  # characters of its code
SECONDS = 10.0  # of the judge's work to read it
CANVAS = re.compile(r"^(?P<who>[^_/]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)$")
MOODLE = re.compile(r"^(?P<who>.+?)_(?P<id>\d+)_assignsubmission_file_?$")
NOTEBOOK = re.compile(r"\.ipynb$", re.IGNORECASE)
ENGINE = re.compile(r"mine[-\w() ]*\.py$", re.IGNORECASE)
"""What is read of what was handed in; Canvas numbers files that come again."""
CALLED = {NOTEBOOK: "notebook", ENGINE: "mine.py"}
NOT_CLONED = "its repository cannot be cloned"
NEVER_ASK = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=20",
}
"""So that git asks nobody for a password."""
LARGE = "the file is too large for a notebook, or with those after it"
EARLIER = f"not read: of one student the last {FEW} files are"
CLONE = 60.0  # seconds, and bytes of each file that git writes
CLONED = 4 * LARGEST
SKIPPED = {".ipynb_checkpoints", "__MACOSX", ".git"}


class CollectError(Exception):
    """What was handed in cannot be read; the message says why."""


@dataclass(frozen=True)
class File:
    """A file as it was handed in; Canvas and Moodle call the student by a number."""

    student: str
    number: str
    path: str
    data: bytes = b""
    problem: str = ""
    """Why there is nothing of it to read."""

    @property
    def who(self) -> Who:
        """The key of the student who submitted it."""
        return who(self.student, self.number)


@dataclass(frozen=True)
class Submission:
    """A file, read: the set that it belongs to, or what is wrong with it.

    All that the judge needs of the notebook is in it, by label: the answers, those in
    words, and fingerprints of the former, and the names that they take from the page.
    """

    file: File
    asked: Set | None
    problem: str = ""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    prints: Mapping[str, str] = field(default_factory=dict)
    free: Mapping[str, str] = field(default_factory=dict)


def files(source: Path, kind: re.Pattern[str] = NOTEBOOK) -> list[File]:
    """Return all files of a kind in what was handed in, by student, in a fixed order.

    Of a student who handed in none, there is a file that says what there was.

    Raises:
        CollectError: if there is nothing to read at `source`.
    """
    if source.is_dir():
        found = list(in_folder(source, kind=kind))
    elif zipfile.is_zipfile(source):
        found = list(in_zip(source, kind))
    elif kind.search(source.name) and source.is_file():
        found = [owned(source.name, source.read_bytes())]
    elif is_listing(source):
        found = list(in_repositories(source, kind))
    else:
        raise CollectError(f"There is nothing at {source}.")
    found = [*(f for f in found if kind.search(f.path)), *others(found, kind)]
    return sorted(found, key=lambda f: (f.student, f.number, natural(f.path)))


def others(found: list[File], kind: re.Pattern[str] = NOTEBOOK) -> list[File]:
    """Return a file for each student who handed in none of a kind, but another."""
    have = {f.who for f in found if kind.search(f.path)}
    rest: defaultdict[Who, list[File]] = defaultdict(list)
    for f in found:
        if f.who not in have:
            rest[f.who].append(f)
    return [
        theirs[0] if theirs[0].problem == NOT_CLONED else replace(
            theirs[0],
            problem=f"handed in, but no {CALLED[kind]}: "
            + ", ".join(PurePosixPath(f.path).name for f in theirs),
        )
        for theirs in rest.values()
    ]  # fmt: skip


def is_listing(source: Path) -> bool:
    """Whether this is a list of repositories."""
    is_else = any(kind.search(source.name) for kind in CALLED)
    return source.is_file() and not is_else and not zipfile.is_zipfile(source)


def natural(path: str) -> list[tuple[int, str]]:
    """Return a sort key by which -2 comes before -10."""
    return [
        (int(part), "") if part.isdigit() else (-1, part)
        for part in re.split(r"(\d+)", path)
    ]


def wanted(path: PurePosixPath) -> bool:
    """Whether a path is a submitted file, and none that a system added."""
    return not path.name.startswith(".") and not SKIPPED & {*path.parts}


def owned(path: str, data: bytes = b"", problem: str = "") -> File:
    """Return a file with its student, read from the first folder or Canvas's prefix."""
    path = visible(path).lstrip("/")
    first, _, rest = path.partition("/")
    if rest:
        found = MOODLE.match(first)
        return File(found["who"] if found else first, found["id"] if found else "",
                    path, data, problem)  # fmt: skip
    found = CANVAS.match(first)
    if found:
        return File(found["who"], found["id"], path, data, problem)
    return File(PurePosixPath(first).stem, "", path, data, problem)


def in_folder(
    folder: Path, under: str = "", kind: re.Pattern[str] = NOTEBOOK
) -> Iterator[File]:
    """Yield the files in a folder; only those of a kind are read."""
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        linked = any((folder / p).is_symlink() for p in [inside, *inside.parents[:-1]])
        if linked or not path.is_file() or not wanted(PurePosixPath(inside)):
            continue
        size = path.stat().st_size
        found.append((owned(under + inside.as_posix()), size, path.read_bytes))
    yield from read(found, kind)


def in_zip(archive: Path, kind: re.Pattern[str] = NOTEBOOK) -> Iterator[File]:
    """Yield the files in a zip; only those of a kind are read, in memory."""
    with zipfile.ZipFile(archive) as opened:
        found = []
        for item in opened.infolist():
            path = PurePosixPath(item.filename)
            if not item.is_dir() and wanted(path):
                get = partial(opened.read, item)
                found.append((owned(str(path)), item.file_size, get))
        yield from read(found, kind, "damaged in the zip")


def read(
    found: Iterable[tuple[File, int, Callable[[], bytes]]],
    kind: re.Pattern[str] = NOTEBOOK,
    damaged: str = "it cannot be read",
) -> Iterator[File]:
    """Yield files, with their content: the last few of a kind of each student.

    Each comes with its size, and with what reads it. All that is read of one student is
    no larger than one notebook may be.
    """
    counts, sizes, whole = Counter[Who](), Counter[Who](), list[File]()
    for file, size, get in sorted(found, key=lambda one: natural(one[0].path))[::-1]:
        problem, data = "", b""
        if kind.search(file.path):
            counts[file.who] += 1
            sizes[file.who] += size
            problem = EARLIER if counts[file.who] > FEW else ""
            problem = LARGE if sizes[file.who] > LARGEST else problem
            try:
                data = b"" if problem else get()
            except Exception as error:  # each kind of packing has errors of its own
                problem = f"{damaged}: {type(error).__name__}"
        whole.append(replace(file, data=data, problem=problem))
    yield from reversed(whole)


def in_repositories(listing: Path, kind: re.Pattern[str] = NOTEBOOK) -> Iterator[File]:
    """Clone the repositories of a list, one after the other, and yield what they hold.

    Raises:
        CollectError: if a line is not a student and an address.
    """
    for row in listing.read_text(encoding="utf-8").splitlines():
        if not row.strip() or row.startswith("#"):
            continue
        name, _, address = row.strip().rpartition(" ")
        if not name:
            raise CollectError(
                f"{listing.name}: each line is a student, a space and the address of a "
                f"repository, and this is not: {line(row)}"
            )
        with tempfile.TemporaryDirectory() as place:
            if cloned(address, Path(place) / "clone"):
                yield from in_folder(Path(place) / "clone", f"{name.strip()}/", kind)
            else:
                yield owned(f"{name.strip()}/repository", problem=NOT_CLONED)


def cloned(address: str, place: Path) -> bool:
    """Clone the newest commit of a repository, without what could run here.

    It has a minute, and what it writes has bounds. Nobody is asked for a password.
    """
    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.symlinks=false"]
    command += ["-c", "protocol.ext.allow=never", "clone", "--quiet", "--depth=1"]
    with subprocess.Popen(
        [*command, "--no-tags", "--", address, str(place)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **NEVER_ASK},
        start_new_session=True,  # git starts others, which end with it
        preexec_fn=partial(bound_files, CLONED),
    ) as git:
        try:
            said = git.communicate(timeout=CLONE)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            said = f"it took more than {CLONE:g} seconds"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(git.pid, signal.SIGKILL)
    if git.returncode:
        reason = " ".join(said.strip().splitlines()[-1:])
        print(f"Not cloned: {line(address)}: {line(reason)}")
    return git.returncode == 0


def submission(file: File, sets: list[Set]) -> Submission:
    """Read one file, and find which set it is, of those that are graded.

    Whatever it makes of a reader, and however long it keeps one, is a problem of this
    file.
    """
    if file.problem:
        return Submission(file, None, file.problem)
    try:
        with deadline(SECONDS):
            return read_file(file, sets)
    except TookTooLong:
        problem = f"reading it took more than {SECONDS:g} seconds of work"
    except Exception as error:
        problem = f"no notebook: {type(error).__name__}"
    return Submission(file, None, problem)


def read_file(file: File, sets: list[Set]) -> Submission:
    """Read one file: its set, the answers, and what else is graded."""
    notebook = reads(file.data.decode("utf-8-sig"), as_version=4)
    cells_are_cells(notebook)
    code = sum(len(cell.source) for cell in code_cells(notebook))
    if code > CODE:
        return Submission(file, None, f"more than {CODE} characters of code")
    asked = which(notebook, sets)
    if asked is None:
        return Submission(file, None, "it holds no cell of what is graded")
    found = answers(notebook, asked)
    sources = {
        q: source
        for q in asked.questions
        if (source := found[q.label].source) and len(source) <= LONGEST
    }
    prints = {q.label: print_of(source, q.name) for q, source in sources.items()}
    free = {q.label: free_names([source]) for q, source in sources.items()}
    return Submission(file, asked, "", found, words_in(notebook, asked), prints, free)


def words_in(notebook: NotebookNode, asked: Set) -> dict[str, str]:
    """Return the free responses, by label."""
    return {
        q.label: free_response.answer(notebook, q)
        for q in free_response.questions(asked)
    }


def cells_are_cells(notebook: NotebookNode) -> None:
    """Raise ValueError if a notebook's cells are not what they must be."""
    for cell in notebook.cells:
        kinds = (cell.source, str), (cell.get("cell_type"), str), (cell.metadata, dict)
        if not all(isinstance(part, kind) for part, kind in kinds):
            raise ValueError("a cell is no cell")
