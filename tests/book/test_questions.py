"""The page of questions: short answers, no question twice, and true error messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor, grad
from notebooks.notebook import ROOT

PAGE = (ROOT / "pages" / "questions.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"(?m)^\*\*(.+?)\*\*\n(.+)$")
ENTRIES = ENTRY.findall(PAGE)
LINK = re.compile(r"\[[^]]*\]\([^)]*\)")
QUOTED = {
    question[1:-2]: re.findall(r"In the book: \*(.+?)\*", answer)[0].rstrip(".?")
    for question, answer in ENTRIES
    if "In the book:" in answer
}


def twice(x: Any) -> None:
    y = (x * x).sum()
    y.backward()
    y.backward()


def cut(x: Any) -> Any:
    return x.detach().sum()


def add_in_place(x: Any) -> None:
    y = np.exp(x) if isinstance(x, Tensor) else x.exp()
    z = y.sum()
    y += 1
    z.backward()


def written_leaf(x: Any) -> None:
    x += 1


ACCIDENTS: dict[str, Callable[[Any, Any], Any]] = {
    "element 0 of tensors does not require grad": lambda x, of: cut(x).backward(),
    "appears to not have been used": lambda x, of: of.grad((x * x).sum(), of.leaf()),
    "Trying to backward through": lambda x, of: twice(x),
    "one of the variables needed": lambda x, of: add_in_place(x),
    "a leaf Variable that requires grad": lambda x, of: written_leaf(x),
    "grad can be implicitly created": lambda x, of: (x * x).backward(),
    "Only Tensors of floating point": lambda x, of: of.whole(),
    "Can't call numpy() on": lambda x, of: np.asarray(x),
}


class Ours:
    """What an accident calls, by the book's engine."""

    grad = staticmethod(grad)

    @staticmethod
    def leaf() -> Any:
        return Tensor([1.0, 2.0], requires_grad=True)

    @staticmethod
    def whole() -> Any:
        return Tensor([1, 2], requires_grad=True)


class Theirs:
    """The same, by PyTorch."""

    def __init__(self) -> None:
        self.torch = pytest.importorskip("torch")

    def grad(self, y: Any, x: Any) -> Any:
        return self.torch.autograd.grad(y, x)

    def leaf(self) -> Any:
        return self.torch.tensor([1.0, 2.0], requires_grad=True)

    def whole(self) -> Any:
        return self.torch.tensor([1, 2], requires_grad=True)


def accident(quote: str) -> Callable[[Any, Any], Any]:
    (found,) = [what for start, what in ACCIDENTS.items() if quote.startswith(start)]
    return found


def test_every_question_stands_once_with_a_short_answer_and_a_section() -> None:
    assert len(ENTRIES) >= 50
    assert len(ENTRIES) == PAGE.count("\n**")
    twice_there = [q for q, n in Counter(q for q, _ in ENTRIES).items() if n > 1]
    assert twice_there == []
    for question, answer in ENTRIES:
        assert "chapters/" in answer, question
        assert len(LINK.sub("", answer).split()) <= 50, question


@pytest.mark.parametrize("quote", QUOTED)
def test_our_error_says_what_the_page_quotes(quote: str) -> None:
    with pytest.raises(Exception, match=re.escape(QUOTED[quote])):
        accident(quote)(Ours.leaf(), Ours)


@pytest.mark.parametrize("quote", QUOTED)
def test_pytorch_says_what_the_page_quotes(quote: str) -> None:
    theirs = Theirs()
    with pytest.raises(Exception, match=re.escape(quote)):
        accident(quote)(theirs.leaf(), theirs)


def test_every_accident_is_on_the_page() -> None:
    assert len(QUOTED) == len(ACCIDENTS)
