"""What each chapter introduces: the table that the rule of growth is tested against.

A chapter's notebook, and the modules it introduces, import only from modules of
chapters up to it, so a reader of chapter n can read the whole of what chapter n uses.
To add a chapter, add its row here and its notebook to `_toc.yml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    """A notebook, by stem, and the modules it introduces.

    A package stands for every module in it.
    """

    notebook: str
    modules: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """The number that the notebook's name begins with."""
        return int(self.notebook[:2])

    def introduces(self, module: str) -> bool:
        """Whether this chapter introduces the module."""
        return any(module == m or module.startswith(m + ".") for m in self.modules)


CONTENTS = (
    Chapter("00_start_here", ("autograd_lib.book",)),
    Chapter("01_derivatives", ("autograd_lib._real", "autograd_lib.numerical")),
    Chapter("02_float_var", ("autograd_lib._halves", "autograd_lib.float_var")),
    Chapter("03_many_inputs", ("autograd_lib.multivariate", "autograd_lib.graph")),
    Chapter("04_value", ("autograd_lib._scalar", "autograd_lib.value")),
    Chapter("05_order"),
    Chapter("06_seeing", ("autograd_lib._steps", "autograd_lib.viz")),
    Chapter("07_scalar_network", ("autograd_lib.dot", "autograd_lib.scalar_nn")),
    Chapter(
        "08_vjp",
        (
            "autograd_lib.broadcast",
            "autograd_lib.probes.card",
            "autograd_lib.probes.of_value",
        ),
    ),
    Chapter(
        "09_dependency",
        (
            "autograd_lib.designs.dependency",
            "autograd_lib.designs._dependency_arrays",
            "autograd_lib.designs.dependency_nn",
            "autograd_lib.probes.of_dependency",
        ),
    ),
    Chapter(
        "10_function",
        (
            "autograd_lib.designs.function_ops",
            "autograd_lib.designs.function",
            "autograd_lib.probes.of_function",
        ),
    ),
    Chapter(
        "11_tracing",
        (
            "autograd_lib.designs.tracing",
            "autograd_lib.designs.tracing_boxes",
            "autograd_lib.designs.tracing_numpy",
            "autograd_lib.probes.of_tracing",
        ),
    ),
    Chapter(
        "12_tensor",
        (
            "autograd_lib.node",
            "autograd_lib.buffer",
            "autograd_lib.recording",
            "autograd_lib._gradients",
            "autograd_lib._protocols",
            "autograd_lib.tensor",
            "autograd_lib.primitive",
            "autograd_lib._hooks",
            "autograd_lib._handing",
            "autograd_lib._needed",
            "autograd_lib._pass",
            "autograd_lib.backward",
            "autograd_lib.ops.arithmetic",
            "autograd_lib.ops.axes",
            "autograd_lib.ops.in_place",
            "autograd_lib.ops.indexing",
            "autograd_lib.ops.matmul",
            "autograd_lib.ops.shapes",
            "autograd_lib.ops.sums",
        ),
    ),
    Chapter(
        "13_operations",
        (
            "autograd_lib.function",
            "autograd_lib.probes.of_tensor",
            "autograd_lib.ops.exponential",
            "autograd_lib.ops.trigonometry",
            "autograd_lib.ops.choices",
            "autograd_lib.ops.activations",
            "autograd_lib.ops.comparisons",
            "autograd_lib.ops.reductions",
            "autograd_lib.ops.extremes",
            "autograd_lib.ops.norms",
            "autograd_lib.ops.cumulative",
            "autograd_lib.ops.rearranging",
            "autograd_lib.ops.joining",
            "autograd_lib.ops.taking",
            "autograd_lib.ops.products",
            "autograd_lib.ops.einsum",
            "autograd_lib.ops.linalg",
            "autograd_lib.ops.linear",
            "autograd_lib.ops.losses",
            "autograd_lib.ops.repeating",
            "autograd_lib.ops.logsumexp",
            "autograd_lib.ops.error_function",
            "autograd_lib.ops.diagonals",
            "autograd_lib.ops.determinant",
            "autograd_lib.ops.copies",
        ),
    ),
    Chapter(
        "14_trust",
        (
            "autograd_lib._witness",
            "autograd_lib._checkable",
            "autograd_lib._comparison",
            "autograd_lib.check",
            "autograd_lib.probes.plant",
            "autograd_lib.probes.faults",
        ),
    ),
    Chapter("15_edges"),
    Chapter("16_leaves"),
    Chapter("17_in_place"),
)


def introduced_in(module: str, contents: Sequence[Chapter] = CONTENTS) -> list[int]:
    """Return the numbers of the chapters that introduce `module`: it should be one.

    The package itself imports nothing and belongs to the first chapter; a package whose
    modules several chapters introduce belongs to the first of these.
    """
    if "." not in module:
        return [contents[0].number]
    found = [chapter.number for chapter in contents if chapter.introduces(module)]
    inside = [
        chapter.number
        for chapter in contents
        if any(name.startswith(f"{module}.") for name in chapter.modules)
    ]
    return found or inside[:1]
