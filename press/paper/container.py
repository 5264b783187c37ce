"""The files that make pages an EPUB 3: package, contents, title page; and the ZIP."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from io import BytesIO
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

FOLDER = "EPUB"
LANGUAGE = "en"
KINDS = {
    "xhtml": "application/xhtml+xml",
    "svg": "image/svg+xml",
    "png": "image/png",
    "css": "text/css",
}
FIRST = (1980, 1, 1, 0, 0, 0)  # the earliest that ZIP can store
CONTAINER = f"""\
<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="{FOLDER}/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
"""
ACCESSIBILITY = {
    "accessMode": ("textual", "visual"),
    "accessModeSufficient": ("textual", "textual,visual"),
    "accessibilityFeature": (
        "alternativeText",
        "displayTransformability",
        "MathML",
        "readingOrder",
        "structuralNavigation",
        "tableOfContents",
    ),
    "accessibilityHazard": ("none",),
    "accessibilitySummary": (
        "Text that reflows, with formulas in MathML and a description of each figure. "
        "No colour has a meaning that words do not give.",
    ),
}


@dataclass(frozen=True)
class Book:
    """The metadata of a book in its package."""

    title: str
    author: str
    rights: str
    version: str
    day: date


class Entry(NamedTuple):
    """A line of the table of contents: a part without an address, a page, a section."""

    title: str
    href: str = ""
    below: tuple[Entry, ...] = ()


def document(title: str, body: str) -> str:
    """Return a page of the EPUB."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" '
        'xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="{LANGUAGE}" xml:lang="{LANGUAGE}">\n'
        f"<head>\n<title>{escape(title)}</title>\n"
        '<link rel="stylesheet" type="text/css" href="epub.css"/>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def contents(entries: Iterable[Entry], start: str) -> str:
    """Return the table of contents, which e-readers also show as their own.

    Args:
        entries: its lines.
        start: the page at which the text begins.
    """
    return document(
        "Contents",
        '<nav epub:type="toc" id="toc">\n<h1>Contents</h1>\n'
        f"{listed(entries)}</nav>\n"
        '<nav epub:type="landmarks" hidden="">\n<h2>Places</h2>\n<ol>\n'
        '<li><a epub:type="cover" href="cover.xhtml">Cover</a></li>\n'
        '<li><a epub:type="toc" href="nav.xhtml">Contents</a></li>\n'
        f'<li><a epub:type="bodymatter" href="{start}">Start of the text</a></li>\n'
        "</ol>\n</nav>",
    )


def listed(entries: Iterable[Entry]) -> str:
    """Return lines of the table of contents as a nested list."""
    items = []
    for entry in entries:
        title = escape(entry.title)
        linked = f'<a href="{entry.href}">{title}</a>'
        line = linked if entry.href else f"<span>{title}</span>"
        below = f"\n{listed(entry.below)}" if entry.below else ""
        items.append(f"<li>{line}{below}</li>\n")
    return f"<ol>\n{''.join(items)}</ol>\n"


def package(book: Book, files: Mapping[str, bytes], spine: Sequence[str]) -> str:
    """Return the package file: metadata, files, and their order."""
    names = {file: f"f{k}" for k, file in enumerate(sorted(files))}
    items = "".join(
        f'<item id="{names[file]}" href="{file}" media-type="{kind_of(file)}"'
        f"{properties(file, files[file])}/>\n"
        for file in sorted(files)
    )
    order = "".join(f'<itemref idref="{names[file]}"/>\n' for file in spine)
    access = "".join(
        f'<meta property="schema:{name}">{escape(value)}</meta>\n'
        for name, values in ACCESSIBILITY.items()
        for value in values
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        f'unique-identifier="book" xml:lang="{LANGUAGE}">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        f'<dc:identifier id="book">{identifier(book)}</dc:identifier>\n'
        f"<dc:title>{escape(book.title)}</dc:title>\n"
        f"<dc:language>{LANGUAGE}</dc:language>\n"
        f"<dc:creator>{escape(book.author)}</dc:creator>\n"
        f"<dc:rights>{escape(book.rights)}</dc:rights>\n"
        f"<dc:date>{book.day}</dc:date>\n"
        f'<meta property="dcterms:modified">{book.day}T00:00:00Z</meta>\n'
        f"{access}</metadata>\n"
        f"<manifest>\n{items}</manifest>\n<spine>\n{order}</spine>\n</package>\n"
    )


def identifier(book: Book) -> str:
    """Return the identifier of the book, the same for all editions.

    A reader's notes survive when a new edition replaces an old one.
    """
    return f"urn:uuid:{uuid5(NAMESPACE_URL, book.title)}"


def kind_of(file: str) -> str:
    """Return the media type of a file."""
    return KINDS[file.rpartition(".")[2]]


def properties(file: str, content: bytes) -> str:
    """Return the properties of a file in the package, besides its type."""
    found = {"nav.xhtml": ["nav"], "cover.png": ["cover-image"]}.get(file, [])
    if file.endswith(".xhtml"):
        found += [
            name
            for name, tag in (("mathml", b"<math"), ("svg", b"<svg"))
            if tag in content
        ]
    return f' properties="{" ".join(found)}"' if found else ""


def zipped(files: Mapping[str, bytes], package: str) -> bytes:
    """Return the EPUB: the same bytes for the same files."""
    inside = {f"{FOLDER}/{name}": files[name] for name in sorted(files)}
    inside = {
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": CONTAINER.encode(),
        f"{FOLDER}/package.opf": package.encode(),
        **inside,
    }
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in inside.items():
            entry = zipfile.ZipInfo(name, FIRST)
            entry.create_system = 3  # the same on every system
            entry.external_attr = 0o644 << 16
            # The first file must be stored as it is; pictures are compressed already.
            stored = name == "mimetype" or name.endswith(".png")
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)
    return file.getvalue()
