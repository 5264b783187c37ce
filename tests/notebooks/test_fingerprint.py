"""Outputs are stale after a change of what runs, or of a source that they show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from notebooks.fingerprint import fingerprint
from notebooks.imports import module_files
from notebooks.notebook import ROOT, chapter_paths, read
from notebooks.shown import ROADS, shown_by
from notebooks.source import running, without_docstrings

MODULE = '''"""A module."""

from autograd_lib import deep


def double(x):
    """Return two x."""
    # Twice.
    return deep.add(x, x)


def half(x):
    """Return half of x."""
    return x / 2  # exact
'''
FILES = {
    "autograd_lib/__init__.py": '"""All of it."""\n',
    "autograd_lib/deep.py": 'def add(x, y):\n    "Return x + y."\n    return x + y\n',
    "autograd_lib/rest.py": MODULE,
    "autograd_lib/book/__init__.py": "from autograd_lib.book import elsewhere, hints\n",
    "autograd_lib/book/elsewhere.py": "",
    "autograd_lib/book/elsewhere.txt": "=== mine · x\n---\n1\n=== other · x\n---\n2\n",
    "autograd_lib/spelling.py": "",
    "autograd_lib/spelling.toml": '["Tensor"]\nview = "t.reshape"\nsize = "t.shape"\n',
    "autograd_lib/book/hints.py": "",
    "autograd_lib/book/hints.toml": 'add = "Add."\n',
}
USE = "from autograd_lib import rest\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small library."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def notebook(*sources: str, printed: str = "") -> NotebookNode:
    """Return a notebook of cells, the last of which printed something."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    cells[-1].outputs = [nbformat.v4.new_output("stream", text=printed)]
    return nbformat.v4.new_notebook(cells=cells)


def stales(root: Path, one: NotebookNode, path: str, old: str, new: str) -> bool:
    """Return whether a change of a file makes a notebook stale."""
    before = fingerprint(one, root)
    text = (root / path).read_text(encoding="utf-8")
    assert old in text
    (root / path).write_text(text.replace(old, new), encoding="utf-8")
    return fingerprint(one, root) != before


REST = "autograd_lib/rest.py"


@pytest.mark.parametrize(
    ("path", "old", "new", "stale"),
    [
        (REST, "Return two x.", "Return 2x.", False),
        (REST, '"""A module."""', '"""A module.\n\n>>> 1\n1\n"""', False),
        (REST, "    # Twice.\n", "", False),
        (REST, "  # exact", "", False),
        (REST, "deep.add(x, x)", "deep.add(\n        x,\n        x,\n    )", False),
        (REST, "x / 2", "x / 3", True),
        (REST, "def half(x)", "def half(y)", True),
        (REST, "(x, x)", "(x, 'x')", True),
        ("autograd_lib/deep.py", "Return x + y.", "Return the sum.", False),
        ("autograd_lib/deep.py", "return x + y", "return x - y", True),
    ],
)
def test_what_runs_makes_stale_and_words_do_not(
    root: Path, path: str, old: str, new: str, stale: bool
) -> None:
    assert stales(root, notebook(USE + "rest.double(1)"), path, old, new) == stale


OF_REST = "from autograd_lib.rest import double as twice, half\n"
TWO, HALF = ("Return two x.", "Return 2x."), ("Return half of x.", "Return x/2.")
TWICE, EXACT = ("    # Twice.\n", ""), ("  # exact", "")


@pytest.mark.parametrize(
    ("source", "printed", "stale", "fresh"),
    [
        (OF_REST + "Show(twice)", "", [TWO, TWICE], [HALF, EXACT]),
        (OF_REST + "Show(twice, docstring=False)", "", [TWICE], [TWO, HALF]),
        (OF_REST + "Show(half)\nShow(half, docstring=False)", "", [HALF], [TWO]),
        (USE + "Show(rest)", "", [TWO, HALF, TWICE, EXACT], []),
        (USE + "Show(rest.half)", "", [HALF, EXACT], [TWO, TWICE]),
        (USE + "f = rest.half\nShow(f)", "", [TWO, HALF], []),
        (USE + "Show(getattr(rest, 'half'))", "", [HALF, TWO], []),
        (OF_REST + "step(y, code=half)", "", [HALF, EXACT], [TWO]),
        (OF_REST + "step(y, k=twice)", "", [], [HALF, TWO]),
        (USE + "optimiser.step(code=rest.half)", "", [], [HALF, TWO]),
        (OF_REST + "@on_ranks(2, half)\ndef f(r): ...", "", [EXACT], [TWICE]),
        (USE + "help(rest.half)", "", [HALF, TWO], []),
        (USE + "rest.half?", "", [HALF, TWO], []),
        (USE + "print(rest.half.__doc__)", "", [HALF], []),
        (USE + "import inspect\ninspect.getsource(rest)", "", [HALF, TWICE], []),
        (USE + "import traceback\ntraceback.print_exc()", "", [TWICE], []),
        (USE, "File autograd_lib/rest.py:9, in double(x)", [TWO, EXACT], []),
        (USE, 'File "autograd_lib\\\\rest.py", line 9', [TWICE], []),
        (USE, "# autograd_lib/rest.py", [], [TWICE]),
        (USE, "File autograd_lib/deep.py:1", [], [TWICE]),
        (USE, "cannot use it, in its line `return x`", [TWICE], []),
    ],
)
def test_a_source_that_is_shown_counts_as_text(
    root: Path, source: str, printed: str, stale: Any, fresh: Any
) -> None:
    one = notebook(source, printed=printed)
    for old, new in fresh:
        assert not stales(root, one, REST, old, new), old
    for old, new in stale:
        assert stales(root, one, REST, old, new), old


PROGRAM = "from autograd_lib.program import compile\nf = compile(g)"


@pytest.mark.parametrize(
    ("cells", "printed", "changed", "stale"),
    [
        (["x = 1", "x"], "", "x = 1  # one", False),
        (["x = 1", "x"], "", "x = (\n    1\n)", False),
        (["x = 1", "x"], "", "x = 2", True),
        (["x = 1", "x"], "", "x = 1;", True),
        (["'a'", "x"], "", "'b'", True),
        (["def f(): ...", "f()"], "", "def f():\n    'Do it.'\n    ...", False),
        (["def f(): ...", "Show(f)"], "", "def f(): ...  # f", True),
        (["def f(): ...", "step(y, code=f)"], "", "def f(): ...  # f", True),
        (["x = 1\nstep(x)", "x"], "", "x = 1  # one\nstep(x)", True),
        (["@elsewhere\ndef f(torch): ...", "x"], "", "@elsewhere\ndef f(torch): 0", 1),
        (["@elsewhere\ndef f(t): 0", "x"], "", "@elsewhere\ndef f(t): 0  # t", True),
        (["x = 1", "y"], "Cell In[1], line 1", "x = 1  # one", True),
        (["x = 1", "y"], "Cell In[2], line 1", "x = 1  # one", False),
        (["def g(): ...", PROGRAM], "", "def g(): ...  # g", True),
        (["x = (", "y"], "", "x = (  # open", True),
        (["%timeit x", "y"], "", "%timeit x + 1", True),
    ],
)
def test_a_cell_counts_by_what_it_does_unless_it_is_shown(
    root: Path, cells: list[str], printed: str, changed: str, stale: bool
) -> None:
    def of(first: str) -> str:
        made = notebook(first, *cells[1:], printed=printed)
        made.cells[0].metadata.tags = ["raises-exception"]
        return fingerprint(made, root)

    assert (of(cells[0]) != of(changed)) == bool(stale)


def test_of_what_is_kept_for_several_notebooks_each_has_its_own(root: Path) -> None:
    one = notebook("import autograd_lib.book\ndef mine(x): ...", printed="a")
    kept = "autograd_lib/book/elsewhere.txt"
    assert not stales(root, one, kept, "\n2\n", "\n3\n")
    assert stales(root, one, kept, "\n1\n", "\n3\n")
    one = notebook("import autograd_lib.spelling\nt.view(2)")
    spellings = "autograd_lib/spelling.toml"
    assert not stales(root, one, spellings, "t.shape", "t.shape, a tuple")
    assert stales(root, one, spellings, "t.reshape", "t.reshape(2)")
    one = notebook("import autograd_lib.book\ndef mine(x): ...", printed="a")
    hints = "autograd_lib/book/hints.toml"
    assert not stales(root, one, hints, "Add.", "Add x.")
    one = notebook("import autograd_lib.book", printed="✗ no\n  Hint: Add x.")
    assert stales(root, one, hints, "Add x.", "Add y.")


def test_every_way_of_the_library_to_a_source_is_known() -> None:
    """Add a new one to `ROADS`, with what makes pages show the source."""
    reads = re.compile(
        r"\binspect\.get(?:source|doc|comments)|\blinecache\."
        r"|\.__doc__(?! =|,)|[\"'][a-z_]+\.py[\"']"
    )
    copies = re.compile(r".*\.__doc__ = .*\.__doc__$", re.MULTILINE)
    reading = {
        name
        for name, path in module_files(ROOT).items()
        if reads.search(copies.sub("", without_docstrings(path.read_text("utf-8"))))
    }
    assert reading == set(ROADS)


ENGINE = {
    "autograd_lib/small/__init__.py": "",
    "autograd_lib/small/cells.py": "from autograd_lib.small import cut\n",
    "autograd_lib/small/cut.py": "",
    "autograd_lib/small/whole.py": "def walk(y):\n    return y  # walk\n",
    "autograd_lib/small/accidents/__init__.py": 'def deep():\n    "Think."\n',
}


def test_cells_of_the_engine_depend_on_the_file_that_it_is_cut_from(root: Path) -> None:
    for name, text in ENGINE.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    whole = "autograd_lib/small/whole.py"
    begin = "from autograd_lib.small.cells import begin"
    one = notebook(begin, "%%engine\ndef f(x):\n    return x")
    assert not stales(root, one, whole, "# walk", "# go")
    assert stales(root, one, whole, "return y", "return [y]")
    before = fingerprint(one, root)
    one.cells[1].source = "%%engine\ndef f(x):\n    return x  # x"
    assert fingerprint(one, root) == before
    one.cells[1].source = "def f(x):\n    return x"
    assert fingerprint(one, root) != before
    one = notebook(begin, "%%engine\nx = 1", printed="File <engine 2>:1, in walk(y)")
    assert stales(root, one, whole, "# go", "# walk")
    one = notebook("%%engine\nfrom autograd_lib import deep")
    assert stales(root, one, "autograd_lib/deep.py", "x + y\n", "x - y\n")
    one = notebook("import autograd_lib.small.accidents")
    accidents = "autograd_lib/small/accidents/__init__.py"
    assert stales(root, one, accidents, "Think.", "Think twice.")


def test_what_chapters_show_of_the_library_is_found() -> None:
    named = {path.stem: shown_by(read(path)).names for path in chapter_paths()}
    assert named["25_looking_back"] == {"walk": True}
    assert {True, False} <= {code for one in named.values() for code in one.values()}
    assert sum(map(bool, named.values())) < 9


def test_versions_of_python_agree_on_what_runs() -> None:
    source = 'def f(x: int = 0) -> str:\n    "Doc."\n    return f"{x:>{x}}é" + u"a"\n'
    assert running(source) == (
        "Module(body=[FunctionDef(name='f',args=arguments(args=[arg(arg='x',"
        "annotation=Name(id='int',))]defaults=[Constant(value=0,)])body=[Return(value="
        "BinOp(left=JoinedStr(values=[FormattedValue(value=Name(id='x',)conversion=-1,"
        "format_spec=JoinedStr(values=[Constant(value='>',)FormattedValue(value=Name("
        "id='x',)conversion=-1,)]))Constant(value='\\xe9',)])op=Add()right=Constant("
        "value='a',)))]returns=Name(id='str',))])"
    )
