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
    Chapter(
        "00_start_here",
        (
            "autograd_lib.book",
            "autograd_lib.stepper",
            "autograd_lib.small.number",
            "autograd_lib.small.cut",
            "autograd_lib.small.accidents",
            "autograd_lib.small.__main__",
        ),
    ),
    Chapter(
        "01_derivatives", ("autograd_lib.scalar.real", "autograd_lib.scalar.numerical")
    ),
    Chapter(
        "02_float_var", ("autograd_lib.scalar.calls", "autograd_lib.scalar.float_var")
    ),
    Chapter(
        "03_many_inputs",
        (
            "autograd_lib.scalar.multivariate",
            "autograd_lib.graph",
            "autograd_lib.small.order",
        ),
    ),
    Chapter(
        "04_value",
        (
            "autograd_lib.scalar.functions",
            "autograd_lib.scalar.value",
            "autograd_lib.small.graph",
        ),
    ),
    Chapter("05_order"),
    Chapter("06_seeing"),
    Chapter("07_scalar_network", ("autograd_lib.scalar.dot", "autograd_lib.scalar.nn")),
    Chapter(
        "08_vjp",
        (
            "autograd_lib.broadcast",
            "autograd_lib.small.copies",
        ),
    ),
    Chapter(
        "09_dependency",
        (
            "autograd_lib.designs.dependency",
            "autograd_lib.designs.dependency_arrays",
            "autograd_lib.designs.dependency_nn",
        ),
    ),
    Chapter(
        "10_function",
        (
            "autograd_lib.designs.function_ops",
            "autograd_lib.designs.function",
        ),
    ),
    Chapter(
        "11_tracing",
        (
            "autograd_lib.designs.tracing",
            "autograd_lib.designs.tracing_boxes",
            "autograd_lib.designs.tracing_numpy",
            "autograd_lib.designs.tracing_refusals",
        ),
    ),
    Chapter(
        "12_tensor",
        (
            "autograd_lib.engine.tape",
            "autograd_lib.engine.arrays",
            "autograd_lib.engine.surface",
            "autograd_lib.small.tensor",
        ),
    ),
    Chapter(
        "13_operations",
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
    Chapter("14_trust", ("autograd_lib.check",)),
    Chapter(
        "15_edges",
        ("autograd_lib.small.choices",),
    ),
    Chapter(
        "16_leaves",
        (
            "autograd_lib.engine.leaves",
            "autograd_lib.small.leaves",
        ),
    ),
    Chapter(
        "17_in_place",
        (
            "autograd_lib.engine.writes",
            "autograd_lib.engine.methods",
            "autograd_lib.small.steps",
        ),
    ),
    Chapter(
        "18_modules",
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
        "19_convolution",
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
        "20_gpt",
        (
            "autograd_lib.nn.attention",
            "autograd_lib.nn.gpt",
            "autograd_lib.text",
            "autograd_lib.small.gpt",
            "autograd_lib.small.whole",
        ),
    ),
    Chapter("21_second_order", ("autograd_lib.functional",)),
    Chapter(
        "22_forward_mode",
        (
            "autograd_lib.engine.complex",
            "autograd_lib.engine.forward",
            "autograd_lib.forward",
        ),
    ),
    Chapter("23_checkpointing", ("autograd_lib.checkpointing",)),
    Chapter(
        "24_compile",
        (
            "autograd_lib.program.calls",
            "autograd_lib.program.core",
            "autograd_lib.program.rewrites",
            "autograd_lib.program.words",
        ),
    ),
    Chapter("25_pytorch"),
    Chapter("26_machine_code", ("autograd_lib.program.machine",)),
    Chapter("27_many_machines", ("autograd_lib.parallel",)),
    Chapter("28_looking_back", ("autograd_lib.hips",)),
)


FACES = ("autograd_lib.engine",)
"""Packages that put the modules of several chapters together when they are imported."""


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
