"""The products beside the book stand alone: none needs another, no tool needs one."""

from __future__ import annotations

import ast

import pytest

from tools.belongs import all_imports, modules
from tools.imports import needed_modules
from tools.notebooks import ROOT

PRODUCTS = {
    "course": ("course",),
    "live": ("live", "book_live"),
    "press": ("press",),
}
# They put together, and list, what products make. Only those who type a name need it.
ENTRIES = {"tools.build", "tools.sbom"}
FILES = modules(ROOT)
IMPORTS = {"live": set[str](), **all_imports(FILES)}  # a folder, and no module


def product_of(module: str) -> str:
    """Return the product that a module belongs to, with its tests; empty for none."""
    above = module.removeprefix("tests.").partition(".")[0]
    return next((p for p, names in PRODUCTS.items() if above in names), "")


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_product_needs_no_other(product: str) -> None:
    own = [name for name in FILES if product_of(name) == product]
    code = [name for name in own if not name.startswith("tests.")]
    assert len(code) > 5
    assert {product_of(n) for n in needed_modules(code, IMPORTS)} <= {product, ""}
    direct = set[str]().union(*(IMPORTS[name] for name in own))
    assert {product_of(name) for name in direct} <= {product, ""}


def test_no_tool_needs_a_product_but_what_a_maintainer_types() -> None:
    need = {
        name
        for name in FILES
        if name.startswith("tools.") and any(map(product_of, IMPORTS[name]))
    }
    assert need == ENTRIES
    for name in ENTRIES:
        body = ast.parse(FILES[name].read_text(encoding="utf-8")).body
        assert ast.unparse(body[-1]).startswith("if __name__ == '__main__':"), name


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_product_says_what_it_is_and_how_to_use_it_elsewhere(product: str) -> None:
    text = (ROOT / product / "README.md").read_text(encoding="utf-8")
    for heading in ("## The map", "## What it needs of the book", "## Elsewhere"):
        assert f"\n{heading}\n" in text, heading
