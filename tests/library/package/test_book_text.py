"""The book's text as data, and its alphabet."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.text import Alphabet, book_text, edition, first_names, kneser_ney
from notebooks.notebook import ROOT

TEXT = book_text()


def test_the_text_is_prose_of_a_size_to_learn_from() -> None:
    assert 150_000 < len(TEXT) < 250_000
    assert TEXT.strip() == TEXT
    assert "the chain rule" in TEXT
    for left_over in ("```", "](", "$", "\\", "{", "<details", "import numpy"):
        assert left_over not in TEXT


def test_the_text_names_its_edition() -> None:
    assert edition().startswith("Autograd, Bottom Up")
    assert edition() not in TEXT


def test_names_are_those_of_the_source() -> None:
    names = first_names()
    assert len(names) == len(set(names)) == 8000
    assert names == sorted(names)
    assert {c for name in names for c in name} == set("abcdefghijklmnopqrstuvwxyz")
    assert {"mary", "james", "zyon"} <= set(names)
    file = (ROOT / "autograd_lib" / "first_names.txt").read_text("utf-8")
    assert "Social Security Administration" in file.split("\n", 1)[0]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_count_shares_out_one_after_each_piece(n: int) -> None:
    """Whatever came before, the next characters' probabilities have the sum 1."""
    read = "abracadabra, abracadabra, a cadaver"
    for piece in "abr", "dab", "ver", "rrr", ", a":
        row = piece[-n:]
        p = [kneser_ney(read, row + c, n)[0] for c in sorted(set(read))]
        assert sum(p) == pytest.approx(1.0)
        assert min(p) > 0


def test_a_longer_count_is_better_as_long_as_pieces_come_again() -> None:
    read, asked = TEXT[:60_000], TEXT[60_000:62_000]
    one, three = (-np.log(kneser_ney(read, asked, n)).mean() for n in (1, 3))
    assert three < one - 0.4
    counts = np.full((128, 128), 0.1)
    tokens = np.frombuffer(read.encode("ascii", "replace"), np.uint8)
    np.add.at(counts, (tokens[:-1], tokens[1:]), 1)
    assert one == pytest.approx(pairs_loss(counts, asked), abs=0.05)


def pairs_loss(counts: np.ndarray, asked: str) -> float:
    p = counts / counts.sum(axis=1, keepdims=True)
    tokens = np.frombuffer(asked.encode("ascii", "replace"), np.uint8)
    return float(-np.log(p[tokens[:-1], tokens[1:]]).mean())


def test_the_alphabet_is_small_and_every_character_is_common() -> None:
    alphabet = Alphabet(TEXT)
    assert 70 <= len(alphabet) <= 90
    counts = np.bincount(alphabet.encode(TEXT))
    assert counts.min() >= 8


def test_encode_and_decode_are_inverse() -> None:
    alphabet = Alphabet(TEXT)
    tokens = alphabet.encode(TEXT[:5000])
    assert tokens.dtype.kind == "i"
    assert alphabet.decode(tokens) == TEXT[:5000]
    assert alphabet.encode("").shape == (0,)
    assert alphabet.decode([]) == ""


@pytest.mark.parametrize("text", ["naïve", "a€", "tab\t"])
def test_a_character_outside_the_alphabet_is_named(text: str) -> None:
    stranger = next(c for c in text if c not in TEXT)
    with pytest.raises(ValueError, match=r"encode: .*not one of the 82") as caught:
        Alphabet(TEXT).encode(text)
    assert f"{stranger!r}, at place {text.index(stranger)}" in str(caught.value)


@pytest.mark.parametrize("tokens", [[0, 3], [-1]])
def test_a_number_that_is_no_token_is_refused(tokens: list[int]) -> None:
    with pytest.raises(ValueError, match="decode: tokens are 0 to 2"):
        Alphabet("abc").decode(tokens)


def test_an_alphabet_needs_a_text() -> None:
    with pytest.raises(ValueError, match="empty text"):
        Alphabet("")
    with pytest.raises(TypeError, match="needs a text"):
        Alphabet(["a"])  # type: ignore[arg-type]
