"""Named numbers, and templates of text with them (chapter 00).

The page calculates all numbers again when a reader changes an input. So a step is
written with the names of its numbers: `{v3}` is the value of node 3, `{s0}` the slope
of edge 0, `{p2}` the amount of hand-over 2, `{t2}` its receiver's gradient then, and
`{r1}` the derivative with respect to node 1. `{(s0)}` is a number after an arithmetic
operator. A literal brace is doubled.
"""

from __future__ import annotations

from html import escape

Numbers = dict[str, float]


def short(number: float) -> str:
    """Return a number with four significant digits."""
    return f"{number:.4g}"


def factor(number: float) -> str:
    """Return a number as it is written after an arithmetic operator."""
    text = short(number)
    return f"({text})" if text.startswith("-") else text


def literal(text: str) -> str:
    """Return text with its braces doubled, for use in a template."""
    return text.replace("{", "{{").replace("}", "}}")


def filled(text: str, numbers: Numbers) -> str:
    """Return a template with its numbers filled in."""
    return text.format_map(Written(numbers))


def marked(text: str, numbers: Numbers) -> str:
    """Return a template as HTML, each number in an element that has its name."""
    return escape(text, quote=False).format_map(Marked(numbers))


class Written:
    """Numbers as text, by name."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers

    def __getitem__(self, name: str) -> str:
        write = factor if name.startswith("(") else short
        return write(self.numbers[name.strip("()")])


class Marked(Written):
    """Numbers as HTML, by name."""

    def __getitem__(self, name: str) -> str:
        return f'<data value="{name}">{super().__getitem__(name)}</data>'
