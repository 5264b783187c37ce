"""The whole book as one PDF: `python -m press.paper.pdf`, after `make book`.

Chromium lays out each finished page for paper, as for a reader who prints it, and then
prints all of them as one document: page numbers run through, links between pages lead
to places in the file, and headings make its bookmarks and its tags for screen readers.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import pikepdf
import yaml
from pikepdf import Dictionary, Name, Pdf

from notebooks import repository
from notebooks.notebook import ROOT
from press.edition import edition_of, stamp_of
from press.paper.contents import Page, pages
from press.paper.front import STYLE, front
from press.paper.printing import file_of, printer, sheets
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
    sheets = len(Pdf.open(BytesIO(content)).pages)
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
    starts = [0 for _ in chosen]

    def beginning() -> str:
        first = [*zip(chosen, starts, strict=True)]
        return front(config["author"], edition, where, first)

    with printer(html, edition.site) as press:
        articles = "".join(press.gather(chosen))
        # Numbers in the contents are known once all sheets are printed.
        alone = sheets((), 0) + STYLE
        before = len(press.print(beginning(), alone).pages)
        made = press.print(beginning() + articles, sheets(chosen, before) + STYLE)
        starts = [sheet - before + 1 for sheet in firsts(made, chosen)]
        redraw(made, press.print(beginning(), alone))
    number_sheets(made, before)
    describe(made, config["author"], edition)
    file = BytesIO()
    made.save(file, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return file.getvalue()


def firsts(made: Pdf, chosen: Sequence[Page]) -> Iterator[int]:
    """Yield the first sheet of each page, counted from 0, by its place in the PDF."""
    for page in chosen:
        place = made.Root.Dests[f"/{file_of(page)}"]
        yield pikepdf.Page(place[0]).index


def redraw(made: Pdf, numbered: Pdf) -> None:
    """Draw the first sheets as another print of them does, with the same tags.

    Args:
        made: the book.
        numbered: a print of these sheets that differs in a few digits.
    """
    for sheet, other in zip(made.pages, numbered.pages, strict=False):
        sheet.obj.Contents = made.copy_foreign(other.obj.Contents)
        sheet.obj.Resources = made.copy_foreign(
            numbered.make_indirect(other.obj.Resources)
        )


def number_sheets(made: Pdf, before: int) -> None:
    """Let viewers number the sheets as they are printed: i, ii, … and then from 1.

    Args:
        made: the book.
        before: the number of sheets before the first page.
    """
    styles = [0, Dictionary(S=Name.r), before, Dictionary(S=Name.D)]
    made.Root.PageLabels = Dictionary(Nums=styles)


def describe(made: Pdf, author: str, edition: Edition) -> None:
    """Write the metadata of the file, without those of this machine."""
    made.docinfo = made.make_indirect(
        Dictionary(
            Title=TITLE,
            Author=author,
            Subject=f"Edition {edition.version}",
            Creator="press.paper.pdf",
        )
    )
    if edition.day:
        made.docinfo.CreationDate = f"D:{edition.day:%Y%m%d}000000Z"
    made.Root.PageMode = Name.UseOutlines
    made.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)


if __name__ == "__main__":
    raise SystemExit(main())
