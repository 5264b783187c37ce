"""The Python side of a live page, run by CPython in a process of its own."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from live.tools.site import python_files
from notebooks.notebook import ROOT

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
    assert first["traceback"] == [
        "-" * 75,
        "ZeroDivisionError" + "Traceback (most recent call last)".rjust(58),
        "Cell 1, run 1, line 3",
        "      1 def f():",
        "      2     1 / 0",
        "----> 3 f()",
        "",
        "Cell 1, run 1, line 2, in f()",
        "      1 def f():",
        "----> 2     1 / 0",
        "      3 f()",
        "",
        "ZeroDivisionError: division by zero",
    ]
    assert not any("book_live" in line for line in second["traceback"])
    assert "cannot wait" in second["evalue"]
    assert limits[0] is True
    assert limits[-1] is False


def text_of(folder: Path, cell: str) -> str:
    _, (error,), _ = python(folder, RUN, [cell])
    return "\n".join(error["traceback"])


def test_an_error_is_told_after_those_it_came_from(folder: Path) -> None:
    broken = "try:\n    1 / 0\nexcept ArithmeticError as e:\n    raise ValueError"
    for more, said in (
        (" from e", "was the direct cause of"),
        ("", "During handling of"),
    ):
        before, after = text_of(folder, broken + more).split(said)
        assert "ZeroDivisionError: division by zero" in before
        assert after.endswith("\nValueError")
    assert "Zero" not in text_of(folder, f"{broken} from None")


def test_a_long_traceback_shows_both_ends(folder: Path) -> None:
    text = text_of(folder, "def f(n):\n    return f(n)\nf(1)")
    assert "Cell 1, run 1, line 3\n" in text
    assert text.count("in f()") == 9
    assert "more frames" in text
    assert "\nRecursionError: " in text


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("1 +", ["Cell 1, run 1, line 1", "    1 +", "SyntaxError"]),
        (
            "compile('1 +', 'there', 'exec')",
            ['File "there", line 1', "----> 1 compile"],
        ),
        (
            "class E(Exception):\n    def __str__(self): raise self\nraise E",
            ["----> 3 raise E", "\nE: <exception str() failed>"],
        ),
        (
            "raise ExceptionGroup('all', [ValueError('one')])",
            ["ExceptionGroup: all", "ValueError: one"],
        ),
        ("import json; json.loads('')", ["decoder.py:", "in raw_decode()"]),
    ],
)
def test_errors_of_all_kinds_are_told(folder: Path, cell: str, says: list[str]) -> None:
    text = text_of(folder, cell)
    assert all(one in text for one in says), text
    assert "book_live" not in text


TIME = re.compile(
    r"\d+(\.\d+)? (n|µ|m)?s ± \d+(\.\d+)? (n|µ|m)?s per loop "
    r"\(mean ± std\. dev\. of (.*) each\)\n"
)


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("%timeit -n 10 -r 2 sum(range(3))", "2 runs, 10 loops"),
        ("x = 1\nif x:\n    %timeit -n1000 -r1 x + x", "1 run, 1,000 loops"),
        ("%%timeit -r 3 -n 1 n = 0\nfor _ in 'ab':\n    n += 1\nn", "3 runs, 1 loop"),
        ("%%timeit -r 2 -n 2\n'''\n%ls\n'''", "2 runs, 2 loops"),
    ],
)
def test_timeit_speaks_as_in_a_notebook(folder: Path, cell: str, says: str) -> None:
    went, sent, _ = python(folder, RUN, [cell])
    assert went == [True], sent
    found = TIME.fullmatch("".join(one["text"] for one in sent).split("cached.\n")[-1])
    assert found is not None, sent
    assert found[5] == says


def test_a_cell_adds_to_the_engine_of_the_page(folder: Path) -> None:
    cells = [
        "from autograd_lib.small.cells import begin\nengine = begin('graph')",
        "%%engine\ndef twice(x):\n    return x + x",
        "engine.twice(21)",
    ]
    went, (shown,), _ = python(folder, RUN, cells)
    assert went == [True] * 3
    assert shown["data"]["text/plain"] == "42"


def test_timeit_finds_out_how_many_loops_are_enough(folder: Path) -> None:
    cells = ["import time", "%timeit -r 1 time.sleep(0.03)", "'%timeit'"]
    went, (*timed, shown), _ = python(folder, RUN, cells)
    assert went == [True] * 3
    assert "of 1 run, 10 loops each)" in "".join(one["text"] for one in timed)
    assert shown["data"]["text/plain"] == "'%timeit'"


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("%timeit 1 / 0", "ZeroDivisionError: division by zero"),
        ("%timeit 1 +", 'File "<timeit>", line 1'),
        ("%timeit", "%timeit needs a statement"),
        ("%timeit -q 1", "takes -n and -r with a number each, and not '-q"),
        ("%time 1", "'%time 1' is a command of Jupyter"),
        ("%timeit 1\n!ls", "'!ls' is a command of Jupyter"),
        ("%timeit 1\n1 +", "line 2\n    1 +"),
    ],
)
def test_timeit_says_what_is_wrong(folder: Path, cell: str, says: str) -> None:
    text = text_of(folder, cell)
    assert says in text
    assert "book_live" not in text
    assert "During handling" not in text


def test_a_cell_needs_what_the_library_behind_it_imports(folder: Path) -> None:
    code = (
        "import json; from book_live.packages import needed\n"
        "print(json.dumps([needed(source) for source in json.load(sys.stdin)]))"
    )
    sources = ["import tqdm.auto", "from autograd_lib.book import draw", "1 +", "x = 1"]
    sources += ["%%timeit -n 1 import tqdm\n1", "%timeit -n 2 n"]
    first, second, *rest, timed, other = python(folder, code, sources)
    assert first == ["tqdm"]
    assert {"autograd_lib", "numpy", "graphviz"} <= set(second)
    assert "matplotlib" not in second
    assert rest == [[], []]
    assert (timed, other) == (["tqdm"], [])


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


def test_matplotlib_is_needed_by_what_draws_in_the_library(folder: Path) -> None:
    code = (
        "import json; from book_live.packages import needed\n"
        "print(json.dumps([needed(source) for source in json.load(sys.stdin)]))"
    )
    cells = [
        "from autograd_lib.book import Plot, Table, digits_drawn as shown",
        "Table(['a'], [[1]])",
        "Plot(fig, 'A curve.')",
        "shown.ten_digits([], [], [], '')",
    ]
    found = ["matplotlib" in needs for needs in python(folder, code, cells)]
    assert found == [False, False, True, True]


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


FIGURE = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\n"


def test_a_figure_is_shown_once_in_the_colours_of_the_page(folder: Path) -> None:
    cells = [
        "ax.set_title('It rises');",
        "ax.set_title('It rises')\nplt.show()",
        "ax.set_title('It rises')\nfig",
        "ax.set_title('It rises')\ndisplay(fig)",
    ]
    cells = [*(FIGURE + cell for cell in cells), "fig"]  # it is closed by then
    _, sent, _ = python(folder, RUN, cells)
    kinds = [output["output_type"].partition("_")[0] for output in sent]
    assert kinds == ["display", "display", "execute", "display", "execute"]
    for output in sent:
        svg = output["data"]["image/svg+xml"]
        assert "currentColor" in svg
        assert "#000000" not in svg
        assert 'aria-label="A figure: It rises"' in svg
        assert output["data"]["text/plain"].startswith("<Figure size")


def test_a_figure_with_its_own_ground_or_too_large_comes_as_pixels(
    folder: Path,
) -> None:
    changes = ["fig.set_facecolor('black')", "ax.plot(range(20_000), 'o');"]
    _, sent, _ = python(folder, RUN, [FIGURE + change for change in changes])
    assert [sorted(output["data"]) for output in sent] == [
        ["image/png", "text/plain"]
    ] * 2


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
