"""What a GPT reads: texts, their characters as numbers, and a count (chapter 18).

`first_names` are 8,000 names, and `book_text` is the prose of chapters 00 to 14,
collected by ``python -m tools.text`` for one edition. Both are files in the package, so
that notebooks, browsers and Colab have them without a network. `kneser_ney` is the
count that a model of a text should be compared with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np


def book_text() -> str:
    """Return the prose of chapters 00 to 14, without code and displayed formulas.

    >>> text = book_text()
    >>> text[:10], len(text) > 150_000
    ('Start here', True)
    """
    return _file("text").split("\n\n", 1)[1].rstrip("\n")


def first_names() -> list[str]:
    """Return the 8,000 most frequent first names of births in the United States.

    They are those of 1880 to 2017 in ASCII letters, in lower case, sorted. The file's
    first line names the source.

    >>> names = first_names()
    >>> len(names), names[:3]
    (8000, ['aaden', 'aaliyah', 'aamir'])
    """
    return _file("first_names").split("\n\n", 1)[1].split()


def edition() -> str:
    """Return the first line of the file, which names the edition."""
    return _file("text").split("\n", 1)[0]


def _file(name: str) -> str:
    return Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")


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


def kneser_ney(read: str, asked: str, n: int) -> np.ndarray:
    """Return the probability of each character of a text by a count in another one.

    The count is Kneser and Ney's (1995). How often did each character follow the `n`
    before it? Each count is lowered by the same part of 1, and what that frees goes to
    the row of one character fewer. Shorter rows count how many different characters a
    piece follows, not how often it occurs: a `u` that only ever follows `q` says little
    about any other place.

    Args:
        read: the text that is counted.
        asked: the text whose characters are predicted, each from those before it.
        n: how many characters before it a character is predicted from, at most.

    Returns:
        One number for each character of `asked` from the `n`-th on.

    >>> p = kneser_ney("abcabcabcabd", "abcabd", 2)
    >>> p.round(2)
    array([0.62, 0.75, 0.75, 0.12])
    """
    counts = [Counter(read[i : i + n + 1] for i in range(len(read) - n))]
    for _ in range(n):
        counts.append(Counter(piece[1:] for piece in counts[-1]))
    p = np.full(len(asked), 1 / len({*read, *asked}))
    for length, pieces in enumerate(reversed(counts)):
        _refine(p, asked, n, length, pieces)
    return p[n:]


def _refine(
    p: np.ndarray, asked: str, n: int, length: int, pieces: Counter[str]
) -> None:
    """Change p to what a table of rows of this length says, where it has the row."""
    once, twice = (sum(k == times for k in pieces.values()) for times in (1, 2))
    taken = once / max(once + 2 * twice, 1)  # of each count, for falling back
    kinds, times = Counter(piece[:-1] for piece in pieces), Counter[str]()
    for piece, k in pieces.items():
        times[piece[:-1]] += k
    for i in range(n, len(asked)):
        row = asked[i - length : i]
        if row in times:
            kept = max(pieces[row + asked[i]] - taken, 0)
            p[i] = (kept + taken * kinds[row] * p[i]) / times[row]
