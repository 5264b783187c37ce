"""The rule of growth, as functions that return what breaks it.

Nothing is used before the chapter that introduces it: no module of the library, by a
notebook or by another module, and no term of the field, in a sentence or a comment.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from notebooks.exercises import python_fences
from notebooks.imports import imported_modules
from notebooks.notebook import code_cells, python_source
from tests.book.helpers.contents import (
    CONTENTS,
    FACES,
    Chapter,
    introduced_in,
    place_of,
)

FENCED = re.compile(r"(?ms)^ *```.*?^ *```")
LINK_TARGET = re.compile(r"\]\([^)\s]*\)")
ENTRY = re.compile(r"(?m)^## +(.+?) *$")
CHAPTER_OF_TERM = re.compile(
    r"Introduced in \[[^\]]*\]\(\.\./chapters/(\d\d_\w+)\.ipynb"
)
ALIASES = re.compile(r"(?m)^Also: *(.+?)\.?$")


@dataclass(frozen=True)
class Term:
    """A term of the glossary, all its names, and the chapter that introduces it."""

    names: tuple[str, ...]
    place: int
    notebook: str = ""


def homeless_modules(
    modules: Iterable[str], contents: Sequence[Chapter] = CONTENTS
) -> list[str]:
    """Return what is wrong with modules that are not in exactly one chapter."""
    counts = {module: len(introduced_in(module, contents)) for module in modules}
    return [
        f"{module} is in {n} chapters of tests/book/helpers/contents.py"
        for module, n in counts.items()
        if n != 1
    ]


def early_imports(
    imports: Mapping[str, set[str]], contents: Sequence[Chapter] = CONTENTS
) -> list[str]:
    """Return the imports between modules that reach into a later chapter."""
    return [
        f"{importer} imports {module}, which a later chapter introduces"
        for importer, wanted in imports.items()
        for module in sorted(wanted)
        if importer not in FACES
        and _first(module, contents) > _first(importer, contents)
    ]


def early_uses(
    notebook: NotebookNode,
    place: int,
    modules: Iterable[str],
    contents: Sequence[Chapter] = CONTENTS,
) -> list[str]:
    """Return the imports, those of solutions too, from chapters after a place."""
    known = list(modules)
    sources = [python_source(cell) for cell in code_cells(notebook)]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            sources += python_fences(cell.source)
    used = set().union(*(imported_modules(source, known) for source in sources))
    return [
        f"{module} is imported before the chapter that introduces it"
        for module in sorted(used)
        if _first(module, contents) > place
    ]


def _first(module: str, contents: Sequence[Chapter]) -> int:
    return min(introduced_in(module, contents), default=0)


def glossary_terms(text: str, contents: Sequence[Chapter] = CONTENTS) -> list[Term]:
    """Return the terms of the glossary page.

    Raises:
        ValueError: if an entry does not link the chapter that introduces it.
        LookupError: if it links a chapter that does not exist.
    """
    pieces = ENTRY.split(text)[1:]
    terms = []
    for name, entry in zip(pieces[::2], pieces[1::2], strict=True):
        chapter = CHAPTER_OF_TERM.search(entry)
        if not chapter:
            raise ValueError(
                f"pages/glossary.md: the entry {name!r} lacks a line such as "
                "Introduced in [chapter 02](../chapters/02_float_var.ipynb)"
            )
        also = ALIASES.search(entry)
        aliases = also[1].split(",") if also else []
        names = (name, *(alias.strip() for alias in aliases))
        terms.append(Term(names, place_of(chapter[1], contents), chapter[1]))
    return terms


def early_terms(text: str, place: int, terms: Iterable[Term]) -> list[str]:
    """Return the names of terms that `text`, at a place, uses before their chapter.

    A term that was introduced in time may contain the name of a later one.
    """
    by_length = sorted(
        ((name, term) for term in terms for name in term.names),
        key=lambda pair: -len(pair[0]),
    )
    early = []
    for name, term in by_length:
        words = r"\s+".join(re.escape(word) for word in name.split())
        pattern = re.compile(rf"(?<![\w`]){words}s?(?!\w)", re.IGNORECASE)
        if term.place > place and pattern.search(text):
            early.append(f"{name!r} is introduced later, in {term.notebook}")
        text = pattern.sub(" ", text)
    return early


def prose(notebook: NotebookNode) -> str:
    """Return the sentences of a notebook: its Markdown and the comments in its code.

    Code within Markdown is code: PyTorch's spelling stands there from chapter 00 on.
    """
    pieces = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            pieces.append(LINK_TARGET.sub("]", FENCED.sub("", cell.source)))
            pieces += [comments(fence) for fence in python_fences(cell.source)]
        else:
            pieces.append(comments(python_source(cell)))
    return "\n".join(pieces)


def comments(source: str) -> str:
    """Return the comments in Python source."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join(t.string for t in tokens if t.type == tokenize.COMMENT)
