"""The output of the same program here and in another library (chapter 00).

Two functions hold the program, ours without a parameter and theirs with the library as
its parameter. The last line of the cell shows what both print, side by side on a page
and one below the other in a notebook's text, with the words and numbers that differ:

    def used_twice():
        b = Value(2.0)
        ((b * b + b) * b).backward()
        print("slope:", b.grad)

    def used_twice_in_pytorch(torch):
        b = torch.tensor(2.0, requires_grad=True)
        ((b * b + b) * b).backward()
        print("slope:", b.grad.item())

    Beside(used_twice, used_twice_in_pytorch)

An error that ends a program is part of its output, and so are warnings; each of them
is compared as a whole, and called by its name. What was printed above already can be
given as text, ``Beside("slope: 8.0", ...)``. The other library's output is kept as that
of `elsewhere` is: no other function of the book has the same name, the function imports
nothing, and ``python -m tools.transcripts`` writes down what it prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher
from html import escape
from itertools import groupby
from typing import Any

from autograd_lib.book.elsewhere import LIBRARIES, output_of, tidied, transcript_of

NUMBER = r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?"
MESSAGE = r"(?m:^)\w*(?:Error|Exception|Warning): .*(?:\n {2}.*)*"
WORD = re.compile(rf"{MESSAGE}|{NUMBER}|\w+|[^\w\s]")
OUTER = "display:flex;flex-wrap:wrap;gap:0 2rem"
INNER = "flex:1 1 17rem;min-width:0"
MANY = 0.5
"""If a larger part of a text differs, marks would say nothing."""


class Beside:
    """The output of a program here and in another library, as a notebook output.

    Args:
        ours: a function without parameters that prints, or what was printed.
        theirs: a function whose parameter names the library, such as ``torch``.

    Attributes:
        ours: the output here.
        theirs: the transcript of the other library.
        apart: for each difference, the words here and the words there, as a sentence
            calls them.

    Raises:
        TypeError: if `theirs` doesn't have one parameter, the name of a library.
        LookupError: if the library is missing and nothing was kept.
    """

    def __init__(self, ours: Callable[[], Any] | str, theirs: Callable[..., Any]):
        self.ours = tidied(output_of(ours) if callable(ours) else str(ours))
        self.theirs = transcript_of(theirs)
        left, right = words(self.ours), words(self.theirs.text)
        runs = differences([w for _, w in left], [w for _, w in right])
        self._marked = [
            [left[i:j] for i, j, _, _ in runs],
            [right[k:m] for _, _, k, m in runs],
        ]
        self.apart = [
            (said(self.ours, a), said(self.theirs.text, b))
            for a, b in zip(*self._marked, strict=True)
        ]

    @property
    def heads(self) -> tuple[str, str]:
        """The titles of the two outputs."""
        there = self.theirs
        return "Here", f"{LIBRARIES[there.library]} {there.version}{there.remark}"

    @property
    def finding(self) -> str:
        """What differs, as a sentence."""
        if not self.apart:
            return "Both print the same."
        if self.wholly:
            return "The two texts differ."
        pairs = (
            f"{a} here, {b} {'with other words ' if a == b else ''}there"
            for a, b in self.apart
        )
        return f"Different: {'; '.join(pairs)}."

    @property
    def wholly(self) -> bool:
        """Whether most of a text differs, so that no word of it is marked."""
        texts = self.ours, self.theirs.text
        return any(
            len(words(text)) > 8 and sum(map(len, runs)) > MANY * len(words(text))
            for text, runs in zip(texts, self._marked, strict=True)
        )

    def __repr__(self) -> str:
        lines = []
        for head, text in zip(self.heads, (self.ours, self.theirs.text), strict=True):
            lines += [head, *(f"  {line}".rstrip() for line in text.splitlines())]
        return "\n".join([*lines, self.finding])

    def _repr_html_(self) -> str:
        texts = self.ours, self.theirs.text
        sides = "".join(
            f'<div style="{INNER}"><b>{escape(head)}</b>'
            f"<pre>{marked(text, [] if self.wholly else runs)}</pre></div>"
            for head, text, runs in zip(self.heads, texts, self._marked, strict=True)
        )
        return (
            f'<div class="book-beside"><div style="{OUTER}">{sides}</div>'
            f"<p>{escape(self.finding)}</p></div>"
        )


def words(text: str) -> list[tuple[int, str]]:
    """Return the words, numbers and signs of a text, each after its place."""
    return [(found.start(), found[0]) for found in WORD.finditer(text)]


def differences(ours: list[str], theirs: list[str]) -> list[tuple[int, int, int, int]]:
    """Return where two lists of words differ: from and to, here and there.

    Numbers of one value are the same, ``7.`` and ``7.0``. Signs alone do not count.
    """
    pairs = SequenceMatcher(
        a=[value(w) for w in ours], b=[value(w) for w in theirs], autojunk=False
    )
    return [
        (i, j, k, m)
        for tag, i, j, k, m in pairs.get_opcodes()
        if tag != "equal" and re.search(r"\w", "".join(ours[i:j] + theirs[k:m]))
    ]


def said(text: str, run: list[tuple[int, str]]) -> str:
    """Return a run of a text's words as a sentence may say it.

    One word stands as it is, several are quoted as they were printed, and a message is
    called by its name.

    >>> text = "w: 2.5 and on" + chr(10) + "TypeError: no number"
    >>> said(text, words(text))
    '“w: 2.5 and on” and TypeError'
    """
    names = []
    for is_message, group in groupby(run, key=lambda word: name_of(word[1]) != ""):
        part = list(group)
        start, end = part[0][0], part[-1][0] + len(part[-1][1])
        if is_message:
            names += [name_of(word) for _, word in part]
        else:
            phrase = " ".join(text[start:end].split())
            names.append(f"“{phrase}”" if len(part) > 1 else phrase)
    return " and ".join(names) or "nothing"


def name_of(word: str) -> str:
    """Return the name of an error or a warning, or "" if a word is no message."""
    return word.partition(":")[0] if re.fullmatch(MESSAGE, word) else ""


def value(word: str) -> str | float:
    """Return a word, or the value of a number."""
    return float(word) if re.fullmatch(NUMBER, word) else word


def marked(text: str, runs: list[list[tuple[int, str]]]) -> str:
    """Return a text as HTML in which runs of its words are marked.

    Of a message that ends a run, its name is.
    """
    done, parts = 0, []
    for run in runs:
        if not run:
            continue
        place, last = run[-1]
        start, end = run[0][0], place + len(name_of(last) or last)
        parts += [escape(text[done:start]), f"<mark>{escape(text[start:end])}</mark>"]
        done = end
    return "".join([*parts, escape(text[done:])])
