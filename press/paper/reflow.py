"""A finished page of the site as XHTML that reflows in an e-reader.

Parts that only work in a browser are removed: buttons, scripts, cells to run, and marks
of the theme.

Formulas are MathML, the one form that grows and changes colour with the text and that
e-readers read aloud. Apple Books, Thorium and calibre show it with a browser's engine,
and so do KOReader and Kindle's converter with their own. Formulas as pictures would
stay black at night, and PreTeXt, which tried both, found them broken on Kindle. Of what
MathJax writes for screen readers, letters in bold need a rule of the style sheet, since
Chromium's engine reads no other `mathvariant` than "normal".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from bs4 import BeautifulSoup, Tag

from press.paper import drawings, folds, listings
from press.paper.drawings import Drawing

GONE = (
    "noscript, button, form, .headerlink, .entrance-buttons, "
    # The setup cell, code that only draws, the output of an exercise not attempted.
    ".tag_setup, .book-icon > details, .tag_exercise > .cell_output, .citation > .label"
)
KEPT = {"id", "class", "href", "src", "alt", "start", "colspan", "rowspan", "scope"}
BLOCKS = ("div", "dl", "ol", "ul", "p", "pre", "section", "table")
FORMULA = re.compile(
    r"<mjx-container\b.*?<mjx-assistive-mml[^>]*>(<math.*?</math>).*?</mjx-container>",
    re.DOTALL,
)
APPLIED = '<mo data-mjx-texclass="NONE">\u2061</mo>'
AFTER_NAME = re.compile(f'{APPLIED}(?!<mo|<mtext|<mrow data-mjx-texclass="OPEN")')
BEFORE_NAME = re.compile(
    r"(</(?:mi|mn|msub|msup|mfrac)>)(?=(?:<msu[bp]>)?<mi>[a-z]{2,}</mi>"
    rf"(?:<m[in]>[^<]*</m[in]></msu[bp]>)?{APPLIED})"
)
THIN = "0.167em"
OF_MATHJAX = re.compile(r'\sdata-mjx-[\w-]+="[^"]*"')
PROGRAM = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)


@dataclass
class Page:
    """A page of the book.

    Args:
        name: as the table of contents has it.
        title: its heading, with its number.
        body: its text.
        drawings: its drawings, by file.
        sections: the anchor and the heading of each section.
    """

    name: str
    title: str
    body: Tag
    drawings: dict[str, Drawing]
    sections: list[tuple[str, str]] = field(default_factory=list)

    @property
    def file(self) -> str:
        """Its name in the EPUB."""
        return file_of(self.name)

    @property
    def ids(self) -> set[str]:
        """The anchors that links can lead to."""
        return {str(tag["id"]) for tag in self.body.select("[id]")}


def file_of(name: str) -> str:
    """Return the file of a page in the EPUB, where all lie in one folder.

    >>> file_of("chapters/04_order")
    '04_order.xhtml'
    """
    return f"{PurePosixPath(name).name}.xhtml"


def is_chapter(name: str) -> bool:
    """Return whether a page is a chapter.

    >>> is_chapter("chapters/04_order"), is_chapter("pages/glossary")
    (True, False)
    """
    return name.startswith("chapters/")


def reflowed(name: str, text: str, sheet: str) -> Page:
    """Return a page for the EPUB; its links are still those of the site.

    Args:
        name: as the table of contents has it.
        text: the finished page.
        sheet: the style sheet; classes that are not in it are left out.
    """
    begin, end = text.index("<article"), text.rindex("</article>")
    folder = f"images/{PurePosixPath(name).name}"
    text, found = drawings.taken_out(text[begin:end], folder)
    classes = listings.classes_of(sheet)
    text = listings.with_listings(PROGRAM.sub("", with_formulas(text)), classes)
    soup = BeautifulSoup(text, "html.parser")
    body = soup.find("section")
    if not isinstance(body, Tag):
        raise ValueError(f"{name}: no section in the page")
    for tag in body.select(GONE):
        tag.decompose()
    unfold_steppers(body)
    name_code(body)
    if is_chapter(name):
        folds.to_the_end(body)
    else:
        folds.rows_as_blocks(body)
        folds.open_here(body)
    keep_what_says_something(body, classes)
    folds.in_one_line(body)
    heading = body.find("h1")
    title = plain(heading) if isinstance(heading, Tag) else name
    page = Page(name, title, body, found)
    for head in body.find_all("h2"):
        if isinstance(head.parent, Tag) and head.parent.get("id"):
            page.sections.append((str(head.parent["id"]), plain(head)))
    return page


def plain(tag: Tag) -> str:
    """Return the text of a heading on one line."""
    return " ".join(tag.get_text("").split())


def with_formulas(text: str) -> str:
    """Return a page with MathML in place of MathJax's drawings."""
    return FORMULA.sub(lambda found: mathml(found[1]), text)


def mathml(formula: str) -> str:
    """Return a formula without MathJax's own notes.

    The thin spaces around the name of a function follow from those notes.
    """
    formula = BEFORE_NAME.sub(rf'\1<mspace width="{THIN}"></mspace>', formula)
    formula = AFTER_NAME.sub(f'<mo rspace="{THIN}">\u2061</mo>', formula)
    return OF_MATHJAX.sub("", formula)


def unfold_steppers(body: Tag) -> None:
    """Replace a stepper by its finished graph and a list of the words of its steps."""
    for details in body.select(".autograd-stepper > details"):
        summary = details.find("summary")
        if isinstance(summary, Tag):
            summary.name = "p"
            summary["class"] = "steps"
        details.unwrap()


def name_code(body: Tag) -> None:
    """Label each listing as printed by Python or written by a reader."""
    for pre in body.find_all("pre"):
        printed = pre.find_parent(class_="cell_output") is not None
        pre["class"] = "output" if printed else "code"


def keep_what_says_something(body: Tag, classes: Collection[str]) -> None:
    """Remove attributes and classes without a meaning here, and plain boxes."""
    of_formulas = {id(tag) for math in body("math") for tag in (math, *math(True))}
    for tag in body.find_all(True):
        if id(tag) in of_formulas:
            continue
        tag.attrs = {key: tag[key] for key in tag.attrs if key in KEPT}
        if str(tag.get("id", "")).startswith("cell-"):
            del tag["id"]
        given = " ".join(tag.get_attribute_list("class")).split()
        tag.attrs.pop("class", None)
        if known := [word for word in given if word in classes]:
            tag["class"] = " ".join(known)
    for tag in body.find_all(["span", "div", "data", "font"]):
        if not tag.attrs:
            tag.unwrap()
    for paragraph in body.find_all("p"):
        if paragraph.find(BLOCKS):
            paragraph.name = "div"
