"""Search what is published for what a master keeps back.

That is each line of its keys and solutions which stands neither in what students get
nor in the public book, and its canary: a random word that `make course` writes into
both kinds of cells, and that can be nowhere by chance.
"""

from __future__ import annotations

import gzip
import html
import io
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from nbformat import NotebookNode

from course.sets.handout import KEPT_BACK, handout, secret_lines
from course.sets.questions import Set
from notebooks.exercises import python_fences
from notebooks.notebook import ROOT, notebook_paths, read, tags

CANARY = "kept-back-"
SHORTEST = 20  # characters of a line that is looked for, blanks left out
LARGEST = 2**28  # bytes that a packed file is unpacked to


def published(root: Path = ROOT) -> list[Path]:
    """Return the files that students can get: the site, handouts and packages.

    The packages of others on live pages are left out: they are pinned by their hashes.
    """
    folders = (root / "_build" / "html", root / "handout", root / "dist")
    found = [*(root / "_build").glob("*.epub")]
    for folder in folders:
        found += [p for p in sorted(folder.rglob("*")) if p.is_file()]
    return [p for p in found if not any(n.startswith("pyodide-") for n in p.parts)]


def leaks(sets: Sequence[Set], places: Iterable[Path]) -> Iterator[str]:
    """Yield a sentence for each secret of a master in a published file."""
    wanted = {line: s.name for s in sets for line in secrets_of(s.notebook)}
    handouts = (
        (f"the handout of {s.name}", text_of(handout(s.notebook, s.name).cells))
        for s in sets
    )
    for where, text in chain(handouts, *(inside(place) for place in places)):
        bare = squeezed(text)
        found = {name: line for line, name in sorted(wanted.items()) if line in bare}
        for name, line in found.items():
            yield f"{name}: {where} holds what is kept back: {line:.60}"


def canaries(notebook: NotebookNode) -> Iterator[str]:
    """Yield the canaries of a master."""
    for cell in notebook.cells:
        if KEPT_BACK & {*tags(cell)}:
            yield from re.findall(rf"{CANARY}[0-9a-f]+", cell.source)


def secrets_of(notebook: NotebookNode) -> set[str]:
    """Return a master's secrets: its canaries, and long lines that are not public."""
    given = squeezed(text_of(c for c in notebook.cells if not KEPT_BACK & {*tags(c)}))
    lines = {squeezed(line) for line in secret_lines(notebook)} - public_lines()
    long = {line for line in lines if len(line) >= SHORTEST and line not in given}
    return long | set(canaries(notebook))


@cache
def public_lines() -> frozenset[str]:
    """Return the lines of the book and of its code, which are public."""
    code = (ROOT / "autograd_lib").rglob("*.py")
    texts = [path.read_text(encoding="utf-8") for path in code]
    for path in notebook_paths(ROOT):
        for cell in read(path).cells:
            texts += [cell.source, *python_fences(cell.source)]
    return frozenset(squeezed(line) for text in texts for line in text.splitlines())


def text_of(cells: Iterable[NotebookNode]) -> str:
    """Return the sources of cells."""
    return "\n".join(cell.source for cell in cells)


def squeezed(text: str) -> str:
    """Return text without blanks, escapes and quotes, which formats add."""
    return re.sub(r'\\[nrt]|[\s\\"]+', "", text)


def inside(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts of a file, and of the files packed in it."""
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    yield from unpacked(str(name), path.read_bytes())


def unpacked(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """Yield a file's text, a page's visible text too, and the texts in an archive.

    A picture or a font has none.
    """
    if zipfile.is_zipfile(io.BytesIO(data)) and data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for one in archive.infolist():
                if one.file_size < LARGEST:
                    yield from unpacked(f"{name}: {one.filename}", archive.read(one))
    elif name.endswith((".tar", ".tar.gz", ".tgz")):
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                opened = archive.extractfile(member) if member.isfile() else None
                if opened:
                    yield from unpacked(f"{name}: {member.name}", opened.read())
    elif data[:2] == b"\x1f\x8b":
        yield from unpacked(f"{name}: unpacked", gzip.decompress(data))
    elif b"\0" not in data[:4096]:
        text = data.decode("utf-8", errors="replace")
        yield name, text
        if name.endswith((".html", ".xhtml", ".xml")):
            yield name, html.unescape(re.sub(r"<[^>]*>", "", text))
