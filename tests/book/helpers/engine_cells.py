"""What the cells of a page add to the reader's engine."""

from __future__ import annotations

from nbformat import NotebookNode

from autograd_lib.small.cells import MAGIC
from autograd_lib.small.cut import Section, sections
from tests.book.helpers.contents import Chapter

ROOM = "autograd_lib.small."


def step_of(chapter: Chapter) -> Section | None:
    """Return the step of the engine that a chapter adds, if it adds one."""
    steps = {section.name: section for section in sections()}
    names = [m.removeprefix(ROOM) for m in chapter.modules if m.startswith(ROOM)]
    found = [steps[name] for name in names if name in steps]
    return found[0] if found else None


def added(notebook: NotebookNode) -> str:
    """Return what the cells of a page that begin with ``%%engine`` add, in order."""
    sources = [c.source for c in notebook.cells if c.cell_type == "code"]
    cells = [s.split("\n", 1) for s in sources if s.startswith(f"%%{MAGIC}")]
    return "\n\n\n".join(cell[1].strip("\n") for cell in cells if len(cell) > 1)


def differences(notebook: NotebookNode, step: Section) -> list[str]:
    """Return the statements that only the page, or only the step's module, has.

    A function that a page builds in several versions counts as the last one.
    """
    text = f"# %% {step.name}: {step.idea}\n\n{added(notebook)}\n"
    (page,) = sections(text)
    last = {s.names if s.is_function else s.text: s.text for s in page.statements}
    ours = {s.text for s in step.statements}
    theirs = set(last.values())
    missing = [f"the page has not: {text}" for text in sorted(ours - theirs)]
    return missing + [f"the module has not: {text}" for text in sorted(theirs - ours)]
