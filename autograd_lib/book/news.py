"""What is new in a source, beside an earlier one (chapter 00)."""

from __future__ import annotations

import ast
import difflib

SAME = 2  # so many lines that are as they were give way to dots


def new_lines(source: str, before: str) -> str:
    """Return the statements of `source` that `before` has not, one below the other.

    Of a function or class that had another body, its first lines and those that changed
    are there; dots stand for lines that are as they were.

    >>> print(new_lines("def f(x):\\n    a = 1\\n    b = 2\\n    return a",
    ...                 "def f(x):\\n    a = 1\\n    b = 2\\n    return b"))
    def f(x):
        ...
        return a
    """
    old = _statements(before)
    named = {name: text for name, text in old if name}
    known = {text for _, text in old}
    shown, last = "", ""
    for name, text in _statements(source):
        if text in known:
            continue
        new = _changed(text, named[name]) if name in named else text
        apart = "\n\n\n" if name or last else "\n"
        shown, last = f"{shown}{apart}{new}", name
    return shown.strip("\n")


def _statements(source: str) -> list[tuple[str, str]]:
    """Return the name of each function and class, "" for others, and the text."""
    lines, found = source.splitlines(), []
    for node in ast.parse(source).body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text:
            continue
        tops = [d.lineno for d in getattr(node, "decorator_list", [])]
        first = min([node.lineno, *tops]) - 1
        text = "\n".join(lines[first : node.end_lineno])
        found.append((str(getattr(node, "name", "")), text))
    return found


def _changed(text: str, before: str) -> str:
    """Return a statement with dots for the lines that are as they were."""
    lines, old = text.splitlines(), before.splitlines()
    shown = lines[:1]
    for tag, _, _, begin, end in difflib.SequenceMatcher(
        None, old, lines, autojunk=False
    ).get_opcodes():
        part = lines[max(begin, 1) : end]
        if tag == "equal" and len(part) >= SAME:
            indent = part[0][: len(part[0]) - len(part[0].lstrip())]
            shown.append(f"{indent}...")
        else:
            shown += part
    return "\n".join(shown)
