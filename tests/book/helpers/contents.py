"""What each chapter introduces: the table that the rule of growth is tested against.

A chapter's notebook, and the modules it introduces, import only from modules of
chapters up to it, so a reader of chapter n can read the whole of what chapter n uses.
Their order is that of `_toc.yml`, not of the numbers of files or of the rows here. To
add a chapter, add its row here and its notebook to `_toc.yml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from notebooks.notebook import ROOT
from notebooks.order import chapters


@dataclass(frozen=True)
class Chapter:
    """A notebook, by stem, and the modules it introduces.

    A package stands for every module in it.
    """

    notebook: str
    modules: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """The number that the notebook's name begins with: a name, and no place."""
        return int(self.notebook[:2])

    def introduces(self, module: str) -> bool:
        """Whether this chapter introduces the module."""
        return any(module == m or module.startswith(m + ".") for m in self.modules)


ROWS = (
    Chapter(
        "00_start_here",
        (
            "autograd_lib.book",
            "autograd_lib.stepper",
            "autograd_lib.small.number",
            "autograd_lib.small.cells",
            "autograd_lib.small.cut",
            "autograd_lib.small.so_far",
            "autograd_lib.small.accidents",
            "autograd_lib.small.__main__",
        ),
    ),
    Chapter(
        "01_derivatives", ("autograd_lib.scalar.real", "autograd_lib.scalar.numerical")
    ),
    Chapter(
        "02_float_var",
        (
            "autograd_lib.scalar.calls",
            "autograd_lib.scalar.float_var",
            "autograd_lib.scalar.multivariate",
            "autograd_lib.graph",
            "autograd_lib.small.order",
        ),
    ),
    Chapter(
        "03_value",
        (
            "autograd_lib.scalar.functions",
            "autograd_lib.scalar.value",
            "autograd_lib.small.graph",
        ),
    ),
    Chapter("04_order"),
    Chapter("05_scalar_network", ("autograd_lib.scalar.dot", "autograd_lib.scalar.nn")),
    Chapter(
        "06_vjp",
        (
            "autograd_lib.broadcast",
            "autograd_lib.small.copies",
        ),
    ),
    Chapter(
        "07_dependency",
        (
            "autograd_lib.designs.dependency",
            "autograd_lib.designs.dependency_arrays",
            "autograd_lib.designs.dependency_nn",
            "autograd_lib.designs.function_ops",
            "autograd_lib.designs.function",
        ),
    ),
    Chapter(
        "08_tracing",
        (
            "autograd_lib.designs.tracing",
            "autograd_lib.designs.tracing_boxes",
            "autograd_lib.designs.tracing_numpy",
            "autograd_lib.designs.tracing_refusals",
        ),
    ),
    Chapter(
        "09_tensor",
        (
            "autograd_lib.engine.tape",
            "autograd_lib.engine.arrays",
            "autograd_lib.engine.surface",
            "autograd_lib.small.tensor",
        ),
    ),
    Chapter(
        "10_operations",
        (
            "autograd_lib.engine.function",
            "autograd_lib.engine.joint",
            "autograd_lib.engine.rules",
            "autograd_lib.engine.numpy",
            "autograd_lib.spelling",
            "autograd_lib.engine.ops",
            "autograd_lib.small.numpy",
        ),
    ),
    Chapter("11_trust", ("autograd_lib.check",)),
    Chapter(
        "12_edges",
        ("autograd_lib.small.choices",),
    ),
    Chapter(
        "13_leaves",
        (
            "autograd_lib.engine.leaves",
            "autograd_lib.small.leaves",
        ),
    ),
    Chapter(
        "14_in_place",
        (
            "autograd_lib.engine.writes",
            "autograd_lib.engine.methods",
            "autograd_lib.small.steps",
        ),
    ),
    Chapter("15_pytorch"),
    Chapter(
        "16_modules",
        (
            "autograd_lib.nn.activations",
            "autograd_lib.nn.arguments",
            "autograd_lib.nn.containers",
            "autograd_lib.nn.dropout",
            "autograd_lib.nn.embedding",
            "autograd_lib.nn.functional",
            "autograd_lib.nn.init",
            "autograd_lib.nn.layers",
            "autograd_lib.nn.losses",
            "autograd_lib.nn.mistakes",
            "autograd_lib.nn.module",
            "autograd_lib.nn.normalization",
            "autograd_lib.nn.state",
            "autograd_lib.optim",
            "autograd_lib.data",
            "autograd_lib.small.layer",
        ),
    ),
    Chapter(
        "17_convolution",
        (
            "autograd_lib.nn.sliding",
            "autograd_lib.nn.bilinear",
            "autograd_lib.nn.convolution",
            "autograd_lib.nn.enlarging",
            "autograd_lib.nn.pooling",
            "autograd_lib.small.parts",
        ),
    ),
    Chapter(
        "18_gpt",
        (
            "autograd_lib.nn.attention",
            "autograd_lib.nn.gpt",
            "autograd_lib.text",
            "autograd_lib.small.gpt",
            "autograd_lib.small.kept",
            "autograd_lib.small.whole",
        ),
    ),
    Chapter(
        "19_forward_mode",
        (
            "autograd_lib.functional",
            "autograd_lib.engine.complex",
            "autograd_lib.engine.forward",
            "autograd_lib.forward",
        ),
    ),
    Chapter("20_second_order"),
    Chapter("21_checkpointing", ("autograd_lib.checkpointing",)),
    Chapter(
        "22_compile",
        (
            "autograd_lib.program.calls",
            "autograd_lib.program.core",
            "autograd_lib.program.rewrites",
            "autograd_lib.program.words",
        ),
    ),
    Chapter("23_machine_code", ("autograd_lib.program.machine",)),
    Chapter("24_many_machines", ("autograd_lib.parallel",)),
    Chapter("25_looking_back", ("autograd_lib.hips",)),
)


def as_listed(rows: Sequence[Chapter], toc: Sequence[str]) -> tuple[Chapter, ...]:
    """Return chapters as a table of contents lists them; those it lacks come last."""
    places = {notebook: i for i, notebook in enumerate(toc)}
    return tuple(sorted(rows, key=lambda row: places.get(row.notebook, len(places))))


CONTENTS = as_listed(ROWS, chapters(ROOT))

FACES = ("autograd_lib.engine",)
"""Packages that put the modules of several chapters together when they are imported."""


def place_of(notebook: str, contents: Sequence[Chapter] = CONTENTS) -> int:
    """Return which chapter of the book a notebook is, from 0.

    Raises:
        LookupError: if it is none.
    """
    for place, chapter in enumerate(contents):
        if chapter.notebook == notebook:
            return place
    raise LookupError(f"tests/book/helpers/contents.py has no row for {notebook!r}")


def introduced_in(module: str, contents: Sequence[Chapter] = CONTENTS) -> list[int]:
    """Return the places of the chapters that introduce `module`: it should be one.

    The package itself imports nothing and belongs to the first chapter; a package whose
    modules several chapters introduce belongs to the first of these.
    """
    if "." not in module:
        return [0]
    found = [i for i, chapter in enumerate(contents) if chapter.introduces(module)]
    inside = [
        i
        for i, chapter in enumerate(contents)
        if any(name.startswith(f"{module}.") for name in chapter.modules)
    ]
    return found or inside[:1]
