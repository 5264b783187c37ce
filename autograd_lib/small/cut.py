"""The engine at the end of each page, cut from the file that has them all.

`whole.py` has a section for each page, with what the page adds. A function that has the
name of an earlier one takes its place, where that stands; an attribute that is set anew
is set there only; names after ``# takes away:`` go, with all that is done to them.
``python -m autograd_lib.small.cut`` writes the modules.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).parent
WHOLE = HERE / "whole.py"
BEGIN = re.compile(r"^# %% (\w+): (.*)$", re.MULTILINE)
TITLE = "The engine as it is at the end of the page on `{}`, cut from `whole.py`."
GONE = re.compile(r"^# takes away: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Statement:
    """A statement of the engine.

    Attributes:
        text: its lines, as they are written.
        names: what it defines, or whose attributes it sets.
        is_function: a function takes the place of an earlier one of its name.
        sets: the attribute that it does nothing but set, such as "Tensor.data", or "".
        above: how many empty lines are above it.
    """

    text: str
    names: frozenset[str]
    is_function: bool
    sets: str
    above: int

    @property
    def is_import(self) -> bool:
        """Whether it stands at the head of a module."""
        return self.text.startswith(("import ", "from "))


@dataclass(frozen=True)
class Section:
    """What a page adds to the engine.

    Attributes:
        name: that of its module, such as "order".
        idea: what it adds, in a few words.
        gone: the names that it takes away.
        statements: what it adds, in order.
    """

    name: str
    idea: str
    gone: frozenset[str]
    statements: tuple[Statement, ...]

    @property
    def source(self) -> str:
        """What the page adds, as a cell of it has it."""
        first, *others = self.statements
        return "\n".join([first.text, *("\n" * s.above + s.text for s in others)])


def sections(text: str | None = None) -> list[Section]:
    """Return the sections of `whole.py`, or of a text in its form."""
    text = WHOLE.read_text(encoding="utf-8") if text is None else text
    _, *parts = BEGIN.split(text)
    found = []
    for name, idea, body in zip(*[iter(parts)] * 3, strict=True):
        gone = frozenset(" ".join(GONE.findall(body)).split())
        found.append(Section(name, idea, gone, tuple(_statements(body))))
    return found


def cut(name: str, text: str | None = None) -> str:
    """Return the source of the engine at the end of a page.

    Args:
        name: the section that the page adds, such as "order".
        text: `whole.py`, or a text in its form.

    Raises:
        KeyError: if there is no section of this name.
    """
    imports: set[str] = set()
    body: list[tuple[Section, Statement]] = []
    for section in sections(text):
        imports = {text for text in imports if text.split()[-1] not in section.gone}
        body = [(home, s) for home, s in body if not s.names & section.gone]
        for new in section.statements:
            if new.sets and new.text.count(new.sets) == 1:  # and it does not read it
                body = [(home, s) for home, s in body if s.sets != new.sets]
            at = [i for i, (_, old) in enumerate(body) if _replaces(new, old)]
            if new.is_import:
                imports.add(new.text)
            elif at:
                home, old = body[at[0]]
                body[at[0]] = home, replace(new, above=old.above)
            else:
                body.append((section, new))
        if section.name == name:
            return _module(section, imports, body)
    raise KeyError(name)


def _replaces(new: Statement, old: Statement) -> bool:
    return new.is_function and old.is_function and new.names == old.names


def _module(
    last: Section, imports: set[str], body: list[tuple[Section, Statement]]
) -> str:
    """Write a module: its imports, then the statements under their sections."""
    lines = [f'"""{TITLE.format(last.name)}"""', ""]
    own = sorted(
        (text for text in imports if "numpy" not in text),
        key=lambda text: (text.startswith("from"), text),
    )
    numpy = sorted(imports - {*own})
    lines += [*own, *([""] if own and numpy else []), *numpy]
    lines += [""] if imports else []
    home = None
    for section, statement in body:
        if section is home:
            lines += [""] * statement.above
        else:
            lines += [""] * 2 * (home is not None)
            lines += [f"# %% {section.name}: {section.idea}", "", ""]
            home = section
        lines.append(statement.text)
    return "\n".join(lines) + "\n"


def _statements(body: str) -> list[Statement]:
    lines = body.splitlines()
    found, end = [], 0
    for node in ast.parse(body).body:
        decorators = [d.lineno for d in getattr(node, "decorator_list", [])]
        begin = min([node.lineno, *decorators]) - 1
        above = begin - end
        end = node.end_lineno or begin
        text = "\n".join(lines[begin:end])
        is_function = isinstance(node, ast.FunctionDef)
        found.append(Statement(text, _names(node), is_function, _sets(node), above))
    return found


def _names(node: ast.stmt) -> frozenset[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return frozenset([node.name])
    targets = node.targets if isinstance(node, ast.Assign) else []
    inside = (part for target in targets for part in ast.walk(target))
    return frozenset(part.id for part in inside if isinstance(part, ast.Name))


def _sets(node: ast.stmt) -> str:
    targets = node.targets if isinstance(node, ast.Assign) else []
    is_one = len(targets) == 1 and isinstance(targets[0], ast.Attribute)
    return ast.unparse(targets[0]) if is_one else ""


def main() -> None:
    """Write a module for each section."""
    for section in sections():
        path = HERE / f"{section.name}.py"
        path.write_text(cut(section.name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
