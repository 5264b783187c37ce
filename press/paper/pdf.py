"""The whole book as one PDF: `python -m press.paper.pdf`, after `make book`.

Chromium prints each finished page, as a reader would, and pypdf binds them: page
numbers run through, links between pages lead to places in the file, there are bookmarks
for parts, chapters and sections, and tags for screen readers.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import yaml
from pypdf import PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle
from pypdf.generic import BooleanObject, NameObject, TextStringObject

from notebooks import repository
from notebooks.notebook import ROOT
from press.edition import edition_of, stamp_of
from press.paper.binding import Binding
from press.paper.contents import Page, pages
from press.paper.front import front
from press.paper.printing import Printed, printer
from press.site.publishing import PDF, TITLE, Edition

NO_BOOK = "There is no complete book in _build/html. Run: make book"


def main(argv: list[str] | None = None) -> int:
    """Print the book, or some pages of it; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m press.paper.pdf", description=__doc__
    )
    parser.add_argument(
        "pages", nargs="*", help="such as chapters/04_order; all, if none is named"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "_build" / PDF)
    given = parser.parse_args(argv)
    start = time.time()
    try:
        content = book(ROOT, given.pages)
    except (FileNotFoundError, ValueError) as error:
        print(f"No PDF was made: {error}", file=sys.stderr)
        return 1
    given.output.write_bytes(content)
    sheets = len(PdfReader(BytesIO(content)).pages)
    print(
        f"Printed {sheets} sheets, {len(content) / 1e6:.1f} MB, in "
        f"{time.time() - start:.0f} s: {os.path.relpath(given.output)}"
    )
    return 0


def book(root: Path, names: Sequence[str] = ()) -> bytes:
    """Return the built book as a PDF.

    Args:
        root: where the book is.
        names: of the pages to print; by default all pages for paper.

    Raises:
        FileNotFoundError: if the book is not built, or if there is no Chromium.
        ValueError: if the book has no page of that name.
    """
    html = root / "_build" / "html"
    if not stamp_of(html).exists():
        raise FileNotFoundError(NO_BOOK)
    listed = pages(root)
    if unknown := sorted(set(names) - {page.name for page in listed}):
        raise ValueError(f"no page for paper is called {', '.join(unknown)}")
    chosen = [page for page in listed if not names or page.name in names]
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    edition = edition_of(root)
    where = edition.site or repository.address(root)
    printed: list[Printed] = []
    starts: list[int] = []
    with printer(html) as press:
        number = 1
        for page in chosen:
            printed.append(press.page(page.name, page.title, number))
            starts.append(number)
            number += len(PdfReader(BytesIO(printed[-1].content)).pages)
        beginning = press.text(
            front(config["author"], edition, where, [*zip(chosen, starts, strict=True)])
        )
    binding = Binding(edition.site)
    before = binding.add(beginning)
    for page, one in zip(chosen, printed, strict=True):
        binding.add(one.content, page.name)
    binding.lead()
    mark(binding, chosen, printed)
    number_sheets(binding.writer, before)
    describe(binding.writer, config["author"], edition)
    binding.writer.compress_identical_objects(
        remove_duplicates=True, remove_unreferenced=True
    )
    # Last, since equal parts of the tree must stay apart.
    binding.structure.write()
    file = BytesIO()
    binding.writer.write(file)
    return file.getvalue()


def mark(binding: Binding, chosen: Sequence[Page], printed: Sequence[Printed]) -> None:
    """Add bookmarks for parts, their chapters, and the sections of these."""
    part, above = "", None
    for page, one in zip(chosen, printed, strict=True):
        place = binding.places[f"{page.name}.html"]
        if page.part != part:
            part = page.part
            above = binding.bookmark(part, place) if part else None
        chapter = binding.bookmark(page.title, place, above)
        for anchor, heading in one.sections:
            spot = binding.places.get(f"{page.name}.html#{anchor}", place)
            binding.bookmark(heading, spot, chapter)
    binding.writer.page_mode = "/UseOutlines"


def number_sheets(writer: PdfWriter, before: int) -> None:
    """Let viewers number the sheets as they are printed: i, ii, … and then from 1.

    Args:
        writer: the book.
        before: the number of sheets before the first page.
    """
    writer.set_page_label(0, before - 1, style=PageLabelStyle.LOWERCASE_ROMAN)
    writer.set_page_label(
        before, len(writer.pages) - 1, style=PageLabelStyle.DECIMAL, start=1
    )


def describe(writer: PdfWriter, author: str, edition: Edition) -> None:
    """Write the metadata of the file, without those of this machine."""
    about = {
        "/Title": TITLE,
        "/Author": author,
        "/Subject": f"Edition {edition.version}",
        "/Creator": "press.paper.pdf",
    }
    if edition.day:
        about["/CreationDate"] = f"D:{edition.day:%Y%m%d}000000Z"
    writer.add_metadata(about)
    writer.root_object[NameObject("/Lang")] = TextStringObject("en")
    viewer = writer.create_viewer_preferences()
    viewer[NameObject("/DisplayDocTitle")] = BooleanObject(True)


if __name__ == "__main__":
    raise SystemExit(main())
