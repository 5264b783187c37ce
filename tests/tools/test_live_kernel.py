"""The Python side of a live page, run by CPython in a process of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from live.tools.site import python_files
from tools.notebooks import ROOT

RUN = """
import asyncio, json, sys
from book_live.kernel import start
sent, limits = [], []
kernel = start(sent.append, limits.append)
went = [asyncio.run(kernel.run(source, 1)) for source in json.load(sys.stdin)]
print(json.dumps([went, [json.loads(one) for one in sent], limits]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("python")
    packed = io.BytesIO(python_files(ROOT / "live" / "python"))
    zipfile.ZipFile(packed).extractall(folder)
    return folder


def python(folder: Path, code: str, given: object = None) -> Any:
    """Run code beside the Python side of live pages; return what it prints."""
    path = f"import sys; sys.path[:0] = [{str(folder)!r}, {str(ROOT)!r}]\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", path + code],
        input=json.dumps(given),
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_cells_share_names_and_show_their_last_expression(folder: Path) -> None:
    cells = [
        "x = 6",
        "print(x)\nx * 7",
        "x;",
        "await __import__('asyncio').sleep(0, 8)",
    ]
    went, sent, _ = python(folder, RUN, cells)
    assert went == [True] * 4
    texts = [o.get("text") or o["data"]["text/plain"] for o in sent]
    assert "".join(texts) == "6\n428"


def test_an_error_has_the_frames_of_the_cell_only(folder: Path) -> None:
    went, sent, limits = python(folder, RUN, ["def f():\n    1 / 0\nf()", "input()"])
    assert went == [False, False]
    first, second = sent
    assert (first["ename"], first["evalue"]) == (
        "ZeroDivisionError",
        "division by zero",
    )
    assert first["traceback"][1] == '  File "<cell 1, run 1>", line 3, in <module>'
    assert not any("kernel.py" in line for line in first["traceback"])
    assert "cannot wait" in second["evalue"]
    assert limits[0] is True
    assert limits[-1] is False


def test_a_cell_needs_what_the_library_behind_it_imports(folder: Path) -> None:
    code = (
        "import json; from book_live.packages import needed\n"
        "print(json.dumps([needed(source) for source in json.load(sys.stdin)]))"
    )
    sources = ["import tqdm.auto", "from autograd_lib.book import draw", "1 +", "x = 1"]
    first, second, *rest = python(folder, code, sources)
    assert first == ["tqdm"]
    assert {"autograd_lib", "numpy", "graphviz"} <= set(second)
    assert "matplotlib" not in second
    assert rest == [[], []]


def test_matplotlib_is_needed_where_a_cell_draws(folder: Path) -> None:
    code = (
        "import json; from book_live.packages import needed\n"
        "print(json.dumps([needed(source) for source in json.load(sys.stdin)]))"
    )
    cells = [
        "import matplotlib.pyplot as plt\nplt.style.use('dark_background')",
        "def drawn(ax): ax.plot([1])\n\ndef curve():\n    return plt.figure()",
        "def twice():\n    curve()\n    curve()",
        "x = 1",
        "twice()",
        "curve",
        "class Plot:\n    def show(self): plt.show()",
        "Plot()",
        "def late(n=plt.gcf()): ...",
        "from matplotlib.figure import Figure",
    ]
    found = [bool(needs) for needs in python(folder, code, cells)]
    draws = [False, False, False, False, True, True, False, True, True, True]
    assert found == draws


LATER = """
import asyncio, json, sys
from book_live.kernel import start
from book_live.packages import needed, offer, settle
class Hidden:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "matplotlib" and hidden:
            return spec.find_spec(name)
hidden, sent = True, []
spec = offer(["matplotlib"])
sys.meta_path.insert(0, Hidden())
kernel = start(sent.append, lambda on: None)
for source in json.load(sys.stdin):
    if "matplotlib" in needed(source):
        hidden = False
        settle("matplotlib")
    asyncio.run(kernel.run(source, 1))
print(json.dumps([json.loads(one) for one in sent]))
"""


def test_matplotlib_takes_the_place_of_its_stand_in(folder: Path) -> None:
    cells = [
        "import matplotlib\nimport matplotlib.pyplot as plt\n"
        "plt.style.use('grayscale')",
        "vars(__import__('__main__'))['plt'].figure()",
        "plt.rcParams['image.cmap'], matplotlib.__name__, matplotlib.__version__ > ''",
    ]
    error, shown = python(folder, LATER, cells)
    assert "write `plt` in the cell that needs it" in error["evalue"]
    assert shown["data"]["text/plain"] == "('gray', 'matplotlib', True)"


def test_what_a_page_does_not_have_is_named_with_a_way_out(folder: Path) -> None:
    _, (error, mark), _ = python(folder, RUN, ["import pandas_", "print?"])
    text = "\n".join(error["traceback"])
    assert "pandas_ is not part of this page" in text
    assert "book_live" not in text
    assert "is a command of Jupyter" in mark["evalue"]


@pytest.mark.parametrize(
    "code", ["while n < 10**6: n += 1; print(n)", "print('x' * 10**6)"]
)
def test_output_without_end_is_cut_and_says_so(folder: Path, code: str) -> None:
    _, sent, _ = python(folder, RUN, [f"n = 0\n{code}\nNone"])
    text = "".join(output["text"] for output in sent)
    assert text.count("\n") <= 2_004
    assert text.endswith("… and more, which is not shown.\n")
