"""Every notebook is fresh, in its normal form, in the book and as agreed."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from notebooks.conventions import breaches, unlike_the_others
from notebooks.fingerprint import Package, fingerprint, stored_fingerprint
from notebooks.further import BROUGHT, block_of, blocks
from notebooks.notebook import (
    ROOT,
    chapter_paths,
    code_cells,
    exercise_paths,
    normalise,
    python_source,
    read,
    tags,
    write,
)
from notebooks.repository import address
from notebooks.setup_cell import setup_cell
from tests.book.helpers.shape import (
    asked,
    missing_at_the_end,
    missing_from_further,
    missing_pieces,
)
from tools.build import expected_pages
from tools.conventions import main
from tools.refresh import RefreshError, reject_stderr
from tools.tracebacks import LONGEST, tidy

PATHS = chapter_paths()
ALL = [*PATHS, *exercise_paths()]
EACH = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
EACH_OF_ALL = pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)


def test_the_table_of_contents_names_every_notebook_and_no_other() -> None:
    pages = {page for page in expected_pages(ROOT) if page.startswith("chapters/")}
    assert pages == {f"chapters/{path.stem}" for path in ALL}
    assert pages


@cache
def package() -> Package:
    """Return the library's modules and their imports, read once for all notebooks."""
    return Package(ROOT)


@EACH_OF_ALL
def test_outputs_follow_from_the_code_as_it_is(path: Path) -> None:
    notebook = read(path)
    now = fingerprint(notebook, package=package())
    assert stored_fingerprint(notebook) == now, "stale: make refresh"


@EACH_OF_ALL
def test_written_in_the_normal_form_and_by_the_conventions(path: Path) -> None:
    found = unlike_the_others(path)
    assert not found, "\n".join(found)


def unused_imports(notebook: NotebookNode) -> list[str]:
    """Return what a notebook imports that neither its code nor an answer uses.

    An import with a comment says itself what it is for; what a page of further
    exercises brings from a chapter is there for other answers too.
    """
    code = [c for c in code_cells(notebook) if not {"setup", BROUGHT} & {*tags(c)}]
    imported, used = [], set()
    for source in map(python_source, code):
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Name):
                used.add(node.id)
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            if "#" not in lines[node.lineno - 1]:
                names = [alias.asname or alias.name for alias in node.names]
                imported += [name.partition(".")[0] for name in names]
    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    spoken = re.findall(r"`[^`]+`|(?ms:^```python$.*?^```$)", text)
    used |= {name for piece in spoken for name in re.findall(r"\w+", piece)}
    return [name for name in imported if name not in used]


@EACH_OF_ALL
def test_what_is_imported_is_used_by_a_cell_or_by_an_answer(path: Path) -> None:
    assert unused_imports(read(path)) == []


def test_an_import_for_nothing_is_found(sound: NotebookNode) -> None:
    sound.cells[2].source = "import math, numpy as np\nfrom os import path, sep\npath"
    sound.cells[2].source += "\nimport os  # for its own sake"
    assert unused_imports(sound) == ["math", "np", "sep"]
    sound.cells[0].source += ", for `math.exp`\n\n```python\nnp.pi\n```"
    assert unused_imports(sound) == ["sep"]


@EACH
def test_shape_of_a_chapter(path: Path) -> None:
    notebook, chapter = read(path), int(path.name[:2])
    further = asked(NotebookNode(cells=block_of(path)))
    missing = (
        missing_at_the_end(notebook)
        if path == PATHS[-1]
        else missing_pieces(notebook, chapter, further)
    )
    assert not missing, "\n".join(missing)


def test_shape_of_the_pages_of_further_exercises() -> None:
    missing = {path.stem: missing_from_further(read(path)) for path in exercise_paths()}
    assert not any(missing.values()), missing


def test_every_block_of_further_exercises_is_linked_from_its_chapter() -> None:
    there = [n for path in exercise_paths() for n in blocks(read(path))]
    assert there == [int(path.name[:2]) for path in PATHS if block_of(path)]


@pytest.fixture
def sound() -> NotebookNode:
    """A notebook that breaks no convention."""
    setup = nbformat.v4.new_code_cell(setup_cell(), metadata={"tags": ["setup"]})
    code = nbformat.v4.new_code_cell("print(1)")
    code.outputs = [nbformat.v4.new_output("stream", text="1\n")]
    title = nbformat.v4.new_markdown_cell("# A title")
    notebook = nbformat.v4.new_notebook(cells=[title, setup, code])
    normalise(notebook)
    return notebook


def test_what_was_printed_is_joined_and_kinds_are_kept_apart(
    sound: NotebookNode,
) -> None:
    streams = [("stdout", "a"), ("stdout", "b\n"), ("stderr", "c"), ("stdout", "d")]
    cell = sound.cells[-1]
    cell.outputs = [
        nbformat.v4.new_output("stream", name=name, text=text) for name, text in streams
    ]
    normalise(sound)
    assert [o.text for o in cell.outputs] == ["ab\n", "c", "d"]


def test_an_answer_to_a_prediction_is_folded_until_the_reader_has_decided(
    sound: NotebookNode,
) -> None:
    sound.cells[-1].metadata.tags = ["predicted"]
    for _ in range(2):
        normalise(sound)
        assert sound.cells[-1].metadata == {
            "tags": ["hide-cell", "predicted"],
            "mystnb": {
                "code_prompt_hide": "Hide",
                "code_prompt_show": "I have decided",
            },
        }
    assert breaches(sound, ROOT / "chapters" / "made_up.ipynb", "") == []


def test_a_question_stays_the_name_of_its_answer(sound: NotebookNode) -> None:
    sound.cells[-1].metadata.tags = ["predicted"]
    sound.cells[-1].metadata.mystnb = NotebookNode(code_prompt_show="7 or 8?")
    normalise(sound)
    assert sound.cells[-1].metadata.mystnb.code_prompt_show == "7 or 8?"


@pytest.mark.parametrize("tag", ["figure", "imports"])
def test_code_behind_an_icon_is_an_ordinary_cell(sound: NotebookNode, tag: str) -> None:
    sound.cells[-1].metadata = NotebookNode(
        tags=["hide-input", tag], mystnb=NotebookNode(code_prompt_show="Drawing")
    )
    normalise(sound)
    assert sound.cells[-1].metadata == {"tags": [tag]}
    assert breaches(sound, ROOT / "chapters" / "made_up.ipynb", "") == []


def test_a_sound_notebook_has_no_breach(sound: NotebookNode) -> None:
    assert breaches(sound, ROOT / "chapters" / "made_up.ipynb", "") == []


@pytest.mark.parametrize(
    ("source", "breach"),
    [
        ("", "is empty"),
        ("x = 1\n" * 17, "17 lines"),
        (f"x = '{'a' * 80}'", "columns"),
        ("print(1);", "ends in `;`"),
        ("# NBVAL_IGNORE_OUTPUT\nx = 1", "exempts it from nbval"),
        ("# PYTEST_VALIDATE_IGNORE_OUTPUT\nx = 1", "exempts it from nbval"),
    ],
)
def test_breaches_in_code(sound: NotebookNode, source: str, breach: str) -> None:
    sound.cells[2].source = source
    assert breach in str(breaches(sound, ROOT / "chapters" / "made_up.ipynb", ""))


@pytest.mark.parametrize(
    ("source", "breach"),
    [
        ("```{note}\nx\n```", "directive"),
        (":::{note}\nx\n:::", "directive"),
        ("see {ref}`x`", "role"),
        ("(here)=\n# Title", "target"),
        ("$$x$$ (eq)", "label"),
        ("[a](nowhere.ipynb)", "leads nowhere"),
        ("[a](../nowhere.md#a)", "leads nowhere"),
        ("[a](../pages/glossary.md#leef)", "to no heading of glossary.md"),
        ("[a](../pages/bibliography.md#nobody)", "to no heading of bibliography.md"),
        ("[a](04_order.ipynb#nowhere)", "to no heading of 04_order.ipynb"),
        ("![](../press/sphinx/static/logo.svg)", "alt"),
        ('<img src="x.png">', "alt"),
    ],
)
def test_breaches_in_markdown(sound: NotebookNode, source: str, breach: str) -> None:
    sound.cells[0].source = source
    assert breach in str(breaches(sound, ROOT / "chapters" / "made_up.ipynb", ""))


@pytest.mark.parametrize(
    ("text", "breach"),
    [
        ("<object at 0x7f2a5c3b1d90>", "memory address"),
        ("/home/someone/book.py", "path of a machine"),
        (r"C:\book\book.py", "path of a machine"),
        ("it is 12:30:59", "time"),
    ],
)
def test_breaches_in_outputs(sound: NotebookNode, text: str, breach: str) -> None:
    sound.cells[2].outputs[0].text = text
    assert breach in str(breaches(sound, ROOT / "chapters" / "made_up.ipynb", ""))


@pytest.mark.parametrize(
    ("tag", "breach"),
    [
        ("nbval-skip", "is not one of"),
        ("nbval-ignore-output", "without a line `# varies"),
    ],
)
def test_breaches_in_tags(sound: NotebookNode, tag: str, breach: str) -> None:
    sound.cells[2].metadata.tags = [tag]
    assert breach in str(breaches(sound, ROOT / "chapters" / "made_up.ipynb", ""))


def test_behind_the_icon_of_imports_is_nothing_else(sound: NotebookNode) -> None:
    cell = sound.cells[-1]
    cell.metadata.tags, cell.outputs = ["imports"], []
    cell.source = "import numpy as np\n\nnp.seterr(all='ignore')\nn = 3"
    assert breaches(sound, ROOT / "chapters" / "made_up.ipynb", "") == []
    cell.source = "import numpy as np\n\ndef f(x):\n    return x"
    found = str(breaches(sound, ROOT / "chapters" / "made_up.ipynb", ""))
    assert "more than import" in found


def test_breaches_in_the_whole(sound: NotebookNode) -> None:
    place = ROOT / "chapters" / "made_up.ipynb"
    assert "setup cell" in str(breaches(sound, place, "https://example.org/a/b"))
    sound.cells[2].outputs = []
    assert "no output" in str(breaches(sound, place, ""))
    sound.cells[2].execution_count = None
    assert "execution counts" in str(breaches(sound, place, ""))
    sound.cells[1].metadata.tags = []
    assert "first code cell" in str(breaches(sound, place, ""))


def test_the_command_names_the_file_and_the_cell(
    sound: NotebookNode, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "01_made_up.ipynb"
    sound.cells[1].source = setup_cell(address())
    write(sound, path)
    assert main([str(path)]) == 0
    sound.cells[2].source = "print(1);"
    path.write_text(nbformat.writes(sound), encoding="utf-8")
    assert main([str(path)]) == 1
    said = capsys.readouterr().out
    assert f"{path}: cell 2: ends in `;`" in said
    assert f"{path}: is not in its normal form: make refresh" in said


def test_a_sound_notebook_is_not_yet_a_chapter(sound: NotebookNode) -> None:
    assert len(missing_pieces(sound, 4)) == 7
    assert len(missing_at_the_end(sound)) == 5


def test_the_hash_sees_code_and_library_but_not_the_address(
    sound: NotebookNode, tmp_path: Path
) -> None:
    package = tmp_path / "autograd_lib"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "one.py").write_text("from autograd_lib.two import x\n")
    (package / "two.py").write_text("x = 1\n")
    (package / "three.py").write_text("x = 1\n")
    sound.cells[2].source = "def f():\n    from autograd_lib import one"
    before = fingerprint(sound, tmp_path)
    sound.cells[1].source = setup_cell("https://example.org/a/b")
    (package / "three.py").write_text("x = 2\n")
    assert fingerprint(sound, tmp_path) == before
    (package / "two.py").write_text("x = 2\n")
    after_library = fingerprint(sound, tmp_path)
    assert after_library != before
    sound.cells[2].source += "\nf()"
    assert fingerprint(sound, tmp_path) != after_library


def test_normal_form_is_stable_and_a_cell_keeps_its_id(sound: NotebookNode) -> None:
    sound.cells.append(sound.cells[0].copy())
    sound.cells[0].metadata["collapsed"] = True
    normalise(sound)
    ids = [cell.id for cell in sound.cells]
    assert len(set(ids)) == len(ids)
    assert "collapsed" not in sound.cells[0].metadata
    sound.cells[0].source = "# Another title"
    normalise(sound)
    assert [cell.id for cell in sound.cells] == ids


def test_a_cell_that_writes_to_stderr_is_shown(sound: NotebookNode) -> None:
    output = nbformat.v4.new_output("stream", name="stderr", text="careful")
    sound.cells[2].outputs = [output]
    with pytest.raises(RefreshError, match=r"(?s)print\(1\).*careful"):
        reject_stderr(sound, "made_up")


def test_tracebacks_keep_the_readers_line_and_the_message() -> None:
    root = Path("/somewhere/book")
    deep = [f"File {root}/autograd_lib/deep.py:{n}, in f\n    f()" for n in range(50)]
    long = "\n".join(["\x1b[31mCell In[1], line 1\x1b[0m", *deep, "", "E: one\ntwo"])
    lines = tidy(long, "one\ntwo", root)
    assert len(lines) == LONGEST
    assert lines[0] == "Cell In[1], line 1"
    assert lines[1] == "File autograd_lib/deep.py:0, in f"
    assert lines[-2:] == ["E: one", "two"]
    frames = "\n\n".join(["Cell In[1]\n---> 1 f()", *deep, "E: one"])
    assert tidy(frames, "E: one", root)[:4] == [
        "Cell In[1]",
        "---> 1 f()",
        "",
        *lines[1:2],
    ]
    library = "File /x/lib/python3.11/site-packages/numpy/core.py:3"
    assert tidy(library, "", root) == ["File numpy/core.py:3"]
