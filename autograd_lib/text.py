"""The text of this book, and its characters as numbers (chapter 20).

`book_text` is the training text of chapter 20: the prose of chapters 00 to 17,
collected by ``python -m tools.text`` for one edition. It is a file in the package, so
that notebooks, browsers and Colab have it without a network.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np


def book_text() -> str:
    """Return the prose of chapters 00 to 17, without code and displayed formulas.

    >>> text = book_text()
    >>> text[:10], len(text) > 150_000
    ('Start here', True)
    """
    _, text = _file().split("\n\n", 1)
    return text.rstrip("\n")


def edition() -> str:
    """Return the first line of the file, which names the edition."""
    return _file().split("\n", 1)[0]


def _file() -> str:
    return Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


class Alphabet:
    """The characters of a text, and a number for each: its token.

    Args:
        text: the text whose characters form the alphabet.

    Raises:
        TypeError: if `text` is not a string.
        ValueError: if it is empty.

    Attributes:
        characters: all of them, sorted; the token of each is its index.

    >>> letters = Alphabet("a cabbage")
    >>> letters.characters
    ' abceg'
    >>> letters.encode("cab")
    array([3, 1, 2])
    >>> letters.decode([2, 1, 5])
    'bag'
    """

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"Alphabet: needs a text, got {text!r:.60}")
        if not text:
            raise ValueError("Alphabet: an empty text has no characters")
        self.characters = "".join(sorted(set(text)))
        self._token = {c: i for i, c in enumerate(self.characters)}

    def __len__(self) -> int:
        return len(self.characters)

    def encode(self, text: str) -> np.ndarray:
        """Return the tokens of a text, as integers.

        Raises:
            ValueError: if a character is not in the alphabet.
        """
        try:
            return np.array([self._token[c] for c in text], dtype=np.int64)
        except KeyError as error:
            c = error.args[0]
            raise ValueError(
                f"encode: {c!r}, at place {text.index(c)}, is not one of the "
                f"{len(self)} characters that the alphabet was made from; leave it "
                f"out, or write it with these: {self.characters!r}"
            ) from None

    def decode(self, tokens: Iterable[int]) -> str:
        """Return the text with these tokens.

        Raises:
            ValueError: if a number isn't a token.
        """
        places = [int(token) for token in tokens]
        if places and not 0 <= min(places) <= max(places) < len(self):
            raise ValueError(
                f"decode: tokens are 0 to {len(self) - 1}, got {min(places)} to "
                f"{max(places)}"
            )
        return "".join(self.characters[place] for place in places)
