"""Whether a program repeats the book's code, under whatever names."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections import Counter
from collections.abc import Iterator

from notebooks.notebook import ROOT

LENGTH = 25  # words and signs in a row: programs of two people share one in twenty
SHARE = 0.2
GIVEN = ("book/", "broadcast.py", "graph.py")
"""What is not an engine's, of the package."""
BLANK = {
    *(tokenize.COMMENT, tokenize.STRING, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}


def repeated(source: str) -> Iterator[str]:
    """Yield a sentence if a large share of a source is copied from the book's engines.

    Names and numbers, comments and the layout do not count.
    """
    package, own = ROOT / "autograd_lib", set(rows(source))
    shared, counts = set[tuple[str, ...]](), Counter[str]()
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if own and not name.startswith(GIVEN):
            both = own & {*rows(path.read_text(encoding="utf-8"))}
            shared |= both
            counts[name] = len(both)
    if own and len(shared) / len(own) > SHARE:
        (name, _), *_ = counts.most_common(1)
        share = f"{len(shared) / len(own):.0%} of it"
        yield f"{share} is the book's code, most of that autograd_lib/{name}"


def rows(source: str) -> Iterator[tuple[str, ...]]:
    """Yield all sequences of `LENGTH` tokens of a source, with all names alike."""
    words = [
        token.string
        if token.type == tokenize.OP or keyword.iskeyword(token.string)
        else "a name"
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in BLANK
    ]
    for i in range(len(words) - LENGTH + 1):
        yield tuple(words[i : i + LENGTH])
