"""The products beside the book stand alone, and every import leads down a floor."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from notebooks.imports import needed_modules
from notebooks.notebook import ROOT
from tools.belongs import all_imports, modules

PRODUCTS = {
    "course": ("course",),
    "live": ("live", "book_live"),
    "press": ("press",),
}
FILES = modules(ROOT)


@cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports; `live` is a folder, and no module."""
    return {"live": set[str](), **all_imports(FILES)}


def product_of(module: str) -> str:
    """Return the product that a module belongs to, with its tests; empty for none."""
    above = module.removeprefix("tests.").partition(".")[0]
    return next((p for p, names in PRODUCTS.items() if above in names), "")


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_product_needs_no_other(product: str) -> None:
    own = [name for name in FILES if product_of(name) == product]
    code = [name for name in own if not name.startswith("tests.")]
    assert len(code) > 5
    assert {product_of(n) for n in needed_modules(code, imports())} <= {product, ""}
    direct = set[str]().union(*(imports()[name] for name in own))
    assert {product_of(name) for name in direct} <= {product, ""}


# A package imports from floors below its own, and no other of its own floor.
FLOORS = (
    ("autograd_lib", "notebooks"),
    ("course", "live", "book_live", "press", "benchmarks"),
    ("tools",),
    ("tests",),
)
TOP = {name: floor for floor, names in enumerate(FLOORS) for name in names}
TOGETHER = {"live", "book_live"}  # one product


def upward(known: Mapping[str, set[str]]) -> list[str]:
    """Return the imports that lead to the same floor, or up."""
    found = []
    for importer, wanted in sorted(known.items()):
        for module in sorted(wanted):
            pair = {importer.partition(".")[0], module.partition(".")[0]}
            if len(pair) < 2 or pair == TOGETHER:
                continue
            if TOP[module.partition(".")[0]] >= TOP[importer.partition(".")[0]]:
                found.append(f"{importer} imports {module}")
    return found


def test_every_import_leads_down() -> None:
    assert {name.partition(".")[0] for name in FILES} == TOP.keys()
    assert upward(imports()) == []


def test_an_import_that_leads_up_or_across_is_found() -> None:
    made_up = {
        "press.site.finish": {"notebooks.notebook", "tools.build", "press.edition"},
        "notebooks.notebook": {"autograd_lib.data", "notebooks.order"},
        "tools.build": {"press.site.finish", "live.tools.site"},
        "live.tools.site": {"book_live.cells", "course.judge"},
    }
    assert upward(made_up) == [
        "live.tools.site imports course.judge",
        "notebooks.notebook imports autograd_lib.data",
        "press.site.finish imports tools.build",
    ]


def test_only_what_a_maintainer_types_is_on_the_upper_floor() -> None:
    """What no command of `tools` is or needs would be a library, and stand below."""
    commands = {
        name
        for name, path in FILES.items()
        if name.startswith("tools.")
        and '\nif __name__ == "__main__":\n' in path.read_text(encoding="utf-8")
    }
    tools = {name for name in FILES if name.partition(".")[0] == "tools"}
    assert len(commands) > 10
    assert tools <= needed_modules(commands, imports())
    files = [path for name, path in FILES.items() if name.startswith("notebooks")]
    assert not any("__main__" in path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_product_says_what_it_is_and_how_to_use_it_elsewhere(product: str) -> None:
    text = (ROOT / product / "README.md").read_text(encoding="utf-8")
    for heading in ("## The map", "## What it needs of the book", "## Elsewhere"):
        assert f"\n{heading}\n" in text, heading
