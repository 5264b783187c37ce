"""The rule of growth: chapter n uses only what chapters up to n have introduced."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autograd_lib.graph import topological_order
from notebooks.further import whole
from notebooks.imports import (
    module_files,
    module_imports,
    needed_modules,
)
from notebooks.notebook import ROOT, chapter_paths
from tests.book.helpers.contents import CONTENTS, FACES, Chapter, as_listed, place_of
from tests.book.helpers.growth import (
    Term,
    early_imports,
    early_terms,
    early_uses,
    glossary_terms,
    homeless_modules,
    prose,
)
from tests.book.helpers.roads import anchor

EACH = pytest.mark.parametrize("path", chapter_paths(), ids=lambda path: path.stem)
MODULES = module_files(ROOT)
TERM_LINK = re.compile(r"glossary\.md#([\w-]+)\)")


def test_the_table_names_every_notebook_in_order() -> None:
    assert [c.notebook for c in CONTENTS] == [path.stem for path in chapter_paths()]


def test_every_module_is_in_one_chapter() -> None:
    assert homeless_modules(MODULES) == []


def test_the_table_names_only_what_exists() -> None:
    listed = {module for chapter in CONTENTS for module in chapter.modules}
    assert listed <= set(MODULES)


def test_modules_import_from_their_chapter_and_earlier_ones() -> None:
    assert early_imports(module_imports(ROOT)) == []


def test_every_room_of_the_engine_belongs_to_one_chapter_as_a_whole() -> None:
    """So what holds for modules holds for rooms: none imports a later chapter's."""
    inside = [m for m in MODULES if m.startswith(f"{FACES[0]}.")]
    rooms = {".".join(module.split(".")[:3]) for module in inside}
    listed = [m for chapter in CONTENTS for m in chapter.modules if m in inside]
    assert sorted(listed) == sorted(rooms)


def test_only_what_puts_rooms_together_imports_later_ones() -> None:
    later = {"autograd_lib.engine.writes.views"}
    assert early_imports({"autograd_lib.engine": later}) == []
    assert len(early_imports({"autograd_lib.engine.tape.node": later})) == 1


@pytest.mark.parametrize("room", ["functional", "checkpointing", "program"])
def test_transforms_do_not_stand_on_layers(room: str) -> None:
    """A model is known by its methods, so functions of arrays need no layers."""
    own = {m for m in MODULES if m.startswith(f"autograd_lib.{room}")}
    needed = needed_modules(own, module_imports(ROOT))
    assert [m for m in needed if m.startswith("autograd_lib.nn")] == []


def test_the_package_imports_nothing_of_its_own() -> None:
    """Its names are imported when they are asked for: Value must not need NumPy."""
    assert module_imports(ROOT)["autograd_lib"] == set()
    code = "import autograd_lib as ag, sys; ag.Value; print('numpy' in sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.split() == [b"False"]


SCRIPT_IMPORT = re.compile(
    r"""(?m)^(?:import|export)\b[^;]*?["']\./([\w-]+)\.mjs["']"""
)


def script_imports(folder: Path) -> dict[str, set[str]]:
    """Return for each JavaScript module of a folder those beside it that it imports."""
    return {
        path.stem: set(SCRIPT_IMPORT.findall(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("*.mjs"))
    }


IMPORTS = {
    "autograd_lib": module_imports(ROOT),
    "live/tools": module_imports(ROOT, "live/tools"),
    "live/python": module_imports(ROOT / "live" / "python", "book_live"),
    "live/page/*.mjs": script_imports(ROOT / "live/page"),
}


def in_order(imports: Mapping[str, set[str]]) -> list[str]:
    """Return the modules, each after those that it imports, as chapter 04 orders."""
    everything = {**imports, "everything": set(imports)}
    return topological_order("everything", everything.__getitem__, key=str)[:-1]


@pytest.mark.parametrize("imports", IMPORTS.values(), ids=list(IMPORTS))
def test_no_import_runs_in_a_circle(imports: dict[str, set[str]]) -> None:
    """Imports inside functions count: they are the usual way to hide a circle."""
    assert len(imports) > 5
    assert set(in_order(imports)) == set(imports)


def rooms(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return for each room of the engine, or file beside them, what it imports."""
    inside = {m: room_of(m) for m in imports if m.startswith(f"{FACES[0]}.")}
    found: dict[str, set[str]] = {room: set() for room in inside.values()}
    for module, room in inside.items():
        found[room] |= {inside[m] for m in imports[module] if m in inside} - {room}
    return found


def room_of(module: str) -> str:
    """Return the room that a module of the engine lies in."""
    return ".".join(module.split(".")[:3])


def test_no_room_of_the_engine_imports_a_later_one() -> None:
    """Not even of the same chapter, and not by way of others."""
    found = rooms(IMPORTS["autograd_lib"])
    order = in_order(found)
    assert len(order) > 8
    assert set(order) == set(found)  # so there is no circle
    assert early_imports(found) == []


def test_a_reader_of_the_engine_s_chapter_can_read_the_whole_tape() -> None:
    """It imports nothing of the other rooms."""
    room, beside = (
        f"{FACES[0]}.tape",
        {f"{FACES[0]}.{m}" for m in ("arrays", "surface")},
    )
    assert rooms(IMPORTS["autograd_lib"])[room] == beside


def test_the_core_of_compile_stands_on_the_engine_alone() -> None:
    """So it can be read without the rooms around it."""
    core = "autograd_lib.program.core"
    imports = IMPORTS["autograd_lib"]
    own = [m for m in imports if m.startswith(core)]
    assert len(own) == 6
    needed = {n for m in own for n in imports[m] if n not in own}
    assert {n for n in needed if not n.startswith(f"{FACES[0]}.")} == set()


def test_nothing_stands_on_operations_that_no_chapter_uses() -> None:
    more = f"{FACES[0]}.ops.more"
    users = {
        name
        for name, wanted in IMPORTS["autograd_lib"].items()
        if any(module.startswith(more) for module in wanted)
    }
    assert all(name.startswith(f"{more}.") for name in users), users


def test_a_circle_of_imports_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.mjs").write_text('import { b } from "./two.mjs";\n')
    (tmp_path / "two.mjs").write_text('import {\n  a,\n} from "./one.mjs";\n')
    imports = script_imports(tmp_path)
    assert imports == {"one": {"two"}, "two": {"one"}}
    with pytest.raises(ValueError, match="made from itself"):
        in_order(imports)


@EACH
def test_notebooks_import_from_their_chapter_and_earlier_ones(path: Path) -> None:
    early = early_uses(whole(path), place_of(path.stem), MODULES)
    assert not early, "\n".join(early)


@EACH
def test_terms_are_not_used_before_their_chapter(path: Path) -> None:
    terms = glossary_terms((ROOT / "pages" / "glossary.md").read_text(encoding="utf-8"))
    early = early_terms(prose(whole(path)), place_of(path.stem), terms)
    assert not early, "\n".join(early)


@EACH
def test_terms_occur_in_the_chapter_that_introduces_them(path: Path) -> None:
    """By a name of theirs, or in a link to their entry."""
    page = whole(path)
    links = {link for c in page.cells for link in TERM_LINK.findall(c.source)}
    said = prose(page).replace("`", "")  # code in a sentence, too
    terms = glossary_terms((ROOT / "pages" / "glossary.md").read_text(encoding="utf-8"))
    unsaid = [
        term.names[0]
        for term in terms
        if term.notebook == path.stem
        and anchor(term.names[0]) not in links
        and not early_terms(said, -1, [term])
    ]
    assert unsaid == []


MADE_UP = (
    Chapter("00_start", ("lib.book",)),
    Chapter("01_one", ("lib.one",)),
    Chapter("02_two", ("lib.two", "lib.both")),
    Chapter("03_three", ("lib.both",)),
)


def test_a_module_in_no_chapter_or_in_two_is_found() -> None:
    modules = ["lib", "lib.book", "lib.book.show", "lib.one", "lib.both", "lib.onerous"]
    assert homeless_modules(modules, MADE_UP) == [
        "lib.both is in 2 chapters of tests/book/helpers/contents.py",
        "lib.onerous is in 0 chapters of tests/book/helpers/contents.py",
    ]


def test_an_import_from_a_later_chapter_is_found() -> None:
    imports = {"lib.two": {"lib.one"}, "lib.one": {"lib.book", "lib.two"}}
    assert early_imports(imports, MADE_UP) == [
        "lib.one imports lib.two, which a later chapter introduces"
    ]


@pytest.mark.parametrize(
    "cell",
    [
        nbformat.v4.new_code_cell("def f():\n    import lib.two as two"),
        nbformat.v4.new_code_cell("%matplotlib inline\nfrom lib import two"),
        nbformat.v4.new_markdown_cell("```python\nfrom lib.two import x\n```\n"),
    ],
)
def test_a_notebooks_early_import_is_found(cell: NotebookNode) -> None:
    notebook = nbformat.v4.new_notebook(cells=[cell])
    modules = ["lib", "lib.one", "lib.two"]
    assert len(early_uses(notebook, 1, modules, MADE_UP)) == 1
    assert early_uses(notebook, 2, modules, MADE_UP) == []


def test_order_is_that_of_the_table_of_contents_and_numbers_are_names() -> None:
    moved = as_listed(MADE_UP, ["00_start", "02_two", "01_one"])
    assert [c.notebook for c in moved] == ["00_start", "02_two", "01_one", "03_three"]
    imports = {"lib.two": {"lib.one"}, "lib.one": {"lib.book", "lib.two"}}
    assert early_imports(imports, moved) == [
        "lib.two imports lib.one, which a later chapter introduces"
    ]
    cell = nbformat.v4.new_code_cell("import lib.two")
    notebook, modules = nbformat.v4.new_notebook(cells=[cell]), ["lib", "lib.two"]
    assert early_uses(notebook, place_of("01_one", moved), modules, moved) == []
    assert len(early_uses(notebook, place_of("00_start", moved), modules, moved)) == 1
    leaf, node = glossary_terms(GLOSSARY, moved)
    assert (leaf.place, node.place) == (1, 2)
    assert early_terms("a node of leaves", place_of("02_two", moved), [leaf, node]) == [
        "'Node' is introduced later, in 01_one"
    ]
    with pytest.raises(LookupError, match="no row for '04_four'"):
        place_of("04_four", moved)


def test_relative_imports_are_resolved(tmp_path: Path) -> None:
    package = tmp_path / "autograd_lib"
    (package / "part").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "one.py").write_text("from . import part\n")
    (package / "part" / "__init__.py").write_text("from .two import x\n")
    (package / "part" / "two.py").write_text("from ..one import y\nimport os\n")
    imports = module_imports(tmp_path)
    assert imports["autograd_lib.one"] == {"autograd_lib", "autograd_lib.part"}
    assert imports["autograd_lib.part"] == {"autograd_lib.part.two"}
    assert imports["autograd_lib.part.two"] == {"autograd_lib.one"}


GLOSSARY = """\
# Glossary
## Leaf
A node without parents.

Also: leaves, source node

Introduced in [chapter 02](../chapters/02_two.ipynb).
## Node
Introduced in [chapter 01](../chapters/01_one.ipynb).
"""
TERMS = [
    Term(("Leaf", "leaves", "source node"), 2, "02_two"),
    Term(("Node",), 1, "01_one"),
]


def test_the_glossary_is_read() -> None:
    assert glossary_terms(GLOSSARY, MADE_UP) == TERMS
    with pytest.raises(ValueError, match="'Orphan' lacks"):
        glossary_terms("## Orphan\nNo chapter.\n")


@pytest.mark.parametrize(
    "text", ["a leaf", "Leafs", "two Leaves.", "a source\nnode", "[leaf](x.md)"]
)
def test_an_early_term_is_found(text: str) -> None:
    assert len(early_terms(text, 1, TERMS)) == 1
    assert early_terms(text, 2, TERMS) == []


def test_what_is_not_a_use_of_a_term_passes() -> None:
    assert early_terms("a leaflet, `leaf`, nodes, leaf_value", 1, TERMS) == []
    known = [Term(("node",), 2), Term(("tree node",), 1)]
    assert early_terms("a tree node", 1, known) == []


def test_prose_is_markdown_and_comments_without_link_targets() -> None:
    cells = [
        nbformat.v4.new_markdown_cell("see [it](../pages/glossary.md#leaf)"),
        nbformat.v4.new_code_cell("leaf = 'leaf'  # a node"),
    ]
    found = prose(nbformat.v4.new_notebook(cells=cells))
    assert found == "see [it]\n# a node"
