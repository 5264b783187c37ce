"""Read what was handed in: a folder, a zip, a download of Canvas's or Moodle's, a list.

A list is a text file of a student and the address of a repository in each line. Files
are read where they lie, or in memory; nothing is unpacked, and no link is followed.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nbformat import NotebookNode, reads

from tools.course.find import which
from tools.course.questions import Set

LARGEST = 50 * 2**20  # bytes of a notebook
CANVAS = re.compile(r"^(?P<who>[^_/]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)$")
MOODLE = re.compile(r"^(?P<who>.+?)_(?P<id>\d+)_assignsubmission_file_?$")
SKIPPED = {".ipynb_checkpoints", "__MACOSX", ".git"}


class CollectError(Exception):
    """What was handed in cannot be read; the message says why."""


@dataclass(frozen=True)
class File:
    """A file as it was handed in; Canvas and Moodle call the student by a number."""

    student: str
    number: str
    path: str
    data: bytes | None
    """Its content; None for a file that is too large."""


@dataclass(frozen=True)
class Submission:
    """A file, read: the set that it belongs to, or what is wrong with it."""

    file: File
    notebook: NotebookNode | None
    asked: Set | None
    problem: str = ""


def files(source: Path) -> list[File]:
    """Return all notebooks in what was handed in, by student, in a fixed order.

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
    return sorted(found, key=lambda f: (f.student, natural(f.path)))


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
    """Whether a path is that of a notebook somebody handed in."""
    return path.suffix == ".ipynb" and not SKIPPED & {*path.parts}


def owned(path: str, data: bytes | None) -> File:
    """Return a file with its student: the first folder, or what Canvas put in front."""
    first, _, rest = path.partition("/")
    if rest:
        found = MOODLE.match(first)
        return File(found["who"] if found else first, found["id"] if found else "",
                    path, data)  # fmt: skip
    found = CANVAS.match(first)
    if found:
        return File(found["who"], found["id"], path, data)
    return File(PurePosixPath(first).stem, "", path, data)


def in_folder(folder: Path, under: str = "") -> Iterator[File]:
    """Yield the notebooks in a folder."""
    for path in sorted(folder.rglob("*.ipynb")):
        inside = path.relative_to(folder)
        linked = any((folder / p).is_symlink() for p in [inside, *inside.parents[:-1]])
        if linked or not path.is_file() or not wanted(PurePosixPath(inside)):
            continue
        small = path.stat().st_size <= LARGEST
        yield owned(under + inside.as_posix(), path.read_bytes() if small else None)


def in_zip(archive: Path) -> Iterator[File]:
    """Yield the notebooks in a zip, read in memory."""
    with zipfile.ZipFile(archive) as opened:
        for item in opened.infolist():
            path = PurePosixPath(item.filename)
            if item.is_dir() or not wanted(path):
                continue
            try:
                data = opened.read(item) if item.file_size <= LARGEST else None
            except (zipfile.BadZipFile, RuntimeError):
                data = b""
            yield owned(str(path), data)


def in_repositories(listing: Path) -> Iterator[File]:
    """Clone the repositories of a list, one after the other, and yield what they hold.

    Raises:
        CollectError: if a line is not a student and an address.
    """
    for line in listing.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        who, _, address = line.strip().rpartition(" ")
        if not who:
            raise CollectError(
                f"{listing.name}: each line is a student, a space and the address of a "
                f"repository, and this is not: {line}"
            )
        with tempfile.TemporaryDirectory() as place:
            if cloned(address, Path(place) / "clone"):
                yield from in_folder(Path(place) / "clone", f"{who.strip()}/")


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
    """Read one file, and find which set it is, of those that are graded."""
    if file.data is None:
        return Submission(file, None, None, "the file is too large for a notebook")
    try:
        notebook = reads(file.data.decode("utf-8-sig"), as_version=4)
        cells_are_cells(notebook)
        asked = which(notebook, sets)
    except Exception as error:  # whatever a broken file makes of a reader
        return Submission(file, None, None, f"no notebook: {type(error).__name__}")
    if asked is None:
        return Submission(file, None, None, "it holds no cell of what is graded")
    return Submission(file, notebook, asked)


def cells_are_cells(notebook: NotebookNode) -> None:
    """Raise ValueError if a notebook's cells are not what they must be."""
    for cell in notebook.cells:
        if not isinstance(cell.source, str) or not isinstance(cell.metadata, dict):
            raise ValueError("a cell is no cell")
