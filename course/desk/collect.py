"""Read what was handed in: a folder, a zip, a download of Canvas's or Moodle's, a list.

A list is a text file of a student and the address of a repository in each line. Files
are read where they lie, or in memory; nothing is unpacked, and no link is followed.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from nbformat import NotebookNode, reads

from course.desk import free_response as written
from course.desk.alike import print_of
from course.desk.deadline import TookTooLong, deadline
from course.desk.roster import Who, who
from course.hold.safe import writable
from course.judge.find import LONGEST, Answer, answers, which
from course.judge.judge import free_names
from course.sets.questions import Set
from notebooks.notebook import code_cells

LARGEST = 50 * 2**20  # bytes of a notebook
CODE = 2**20  # characters of its code
SECONDS = 10.0  # of the judge's work to read it
CANVAS = re.compile(r"^(?P<who>[^_/]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)$")
MOODLE = re.compile(r"^(?P<who>.+?)_(?P<id>\d+)_assignsubmission_file_?$")
ENDING = ".ipynb"
NOT_CLONED = "its repository cannot be cloned"
LARGE = "the file is too large for a notebook"
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
        """Whose it is."""
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


def files(source: Path) -> list[File]:
    """Return all notebooks in what was handed in, by student, in a fixed order.

    Of a student who handed in no notebook, there is a file that says what there was.

    Raises:
        CollectError: if there is nothing to read at `source`.
    """
    if source.is_dir():
        found = list(in_folder(source))
    elif zipfile.is_zipfile(source):
        found = list(in_zip(source))
    elif source.suffix == ".ipynb" and source.is_file():
        found = [owned(source.name, source.read_bytes())]
    elif is_listing(source):
        found = list(in_repositories(source))
    else:
        raise CollectError(f"There is nothing at {source}.")
    found = [*notebooks(found), *others(found)]
    return sorted(found, key=lambda f: (f.student, f.number, natural(f.path)))


def notebooks(found: list[File]) -> list[File]:
    """Keep the files that are notebooks by their names."""
    return [f for f in found if f.path.endswith(ENDING)]


def others(found: list[File]) -> list[File]:
    """Return a file for each student who handed in no notebook, but something else."""
    have = {f.who for f in notebooks(found)}
    rest: defaultdict[Who, list[File]] = defaultdict(list)
    for f in found:
        if f.who not in have:
            rest[f.who].append(f)
    return [
        theirs[0] if theirs[0].problem == NOT_CLONED else replace(
            theirs[0],
            problem="handed in, but no notebook: "
            + ", ".join(PurePosixPath(f.path).name for f in theirs),
        )
        for theirs in rest.values()
    ]  # fmt: skip


def is_listing(source: Path) -> bool:
    """Whether this is a list of repositories."""
    is_else = source.suffix == ".ipynb" or zipfile.is_zipfile(source)
    return source.is_file() and not is_else


def natural(path: str) -> list[tuple[int, str]]:
    """Return a key by which -2 comes before -10."""
    return [
        (int(part), "") if part.isdigit() else (-1, part)
        for part in re.split(r"(\d+)", path)
    ]


def wanted(path: PurePosixPath) -> bool:
    """Whether a path is that of a file somebody handed in."""
    return not path.name.startswith(".") and not SKIPPED & {*path.parts}


def owned(path: str, data: bytes = b"", problem: str = "") -> File:
    """Return a file with its student: the first folder, or what Canvas put in front."""
    path = writable(path).lstrip("/")
    first, _, rest = path.partition("/")
    if rest:
        found = MOODLE.match(first)
        return File(found["who"] if found else first, found["id"] if found else "",
                    path, data, problem)  # fmt: skip
    found = CANVAS.match(first)
    if found:
        return File(found["who"], found["id"], path, data, problem)
    return File(PurePosixPath(first).stem, "", path, data, problem)


def in_folder(folder: Path, under: str = "") -> Iterator[File]:
    """Yield the files in a folder; only notebooks are read."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        linked = any((folder / p).is_symlink() for p in [inside, *inside.parents[:-1]])
        if linked or not path.is_file() or not wanted(PurePosixPath(inside)):
            continue
        name = under + inside.as_posix()
        try:
            is_read = path.suffix == ENDING and path.stat().st_size <= LARGEST
            yield owned(name, path.read_bytes()) if is_read else owned(name, b"", LARGE)
        except OSError as error:
            yield owned(name, b"", f"it cannot be read: {type(error).__name__}")


def in_zip(archive: Path) -> Iterator[File]:
    """Yield the files in a zip; only notebooks are read, in memory."""
    with zipfile.ZipFile(archive) as opened:
        for item in opened.infolist():
            path = PurePosixPath(item.filename)
            if item.is_dir() or not wanted(path):
                continue
            is_read = path.suffix == ENDING and item.file_size <= LARGEST
            try:
                data, problem = (opened.read(item), "") if is_read else (b"", LARGE)
            except Exception as error:  # each kind of packing has errors of its own
                data, problem = b"", f"damaged in the zip: {type(error).__name__}"
            yield owned(str(path), data, problem)


def in_repositories(listing: Path) -> Iterator[File]:
    """Clone the repositories of a list, one after the other, and yield what they hold.

    Raises:
        CollectError: if a line is not a student and an address.
    """
    for line in listing.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, address = line.strip().rpartition(" ")
        if not name:
            raise CollectError(
                f"{listing.name}: each line is a student, a space and the address of a "
                f"repository, and this is not: {line}"
            )
        with tempfile.TemporaryDirectory() as place:
            if cloned(address, Path(place) / "clone"):
                yield from in_folder(Path(place) / "clone", f"{name.strip()}/")
            else:
                yield owned(f"{name.strip()}/repository", problem=NOT_CLONED)


def cloned(address: str, place: Path) -> bool:
    """Clone the newest commit of a repository, without what could run here."""
    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.symlinks=false"]
    command += ["-c", "protocol.ext.allow=never", "clone", "--quiet", "--depth=1"]
    done = subprocess.run(
        [*command, "--", address, str(place)], capture_output=True, check=False
    )
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        print(f"Not cloned: {address}: {' '.join(reason)}")
    return done.returncode == 0


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
    """Read one file, with all that is judged in it."""
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
    """Return what is answered in words, by label."""
    return {q.label: written.answer(notebook, q) for q in written.questions(asked)}


def cells_are_cells(notebook: NotebookNode) -> None:
    """Raise ValueError if a notebook's cells are not what they must be."""
    for cell in notebook.cells:
        kinds = (cell.source, str), (cell.get("cell_type"), str), (cell.metadata, dict)
        if not all(isinstance(part, kind) for part, kind in kinds):
            raise ValueError("a cell is no cell")
