"""The first cell works wherever a chapter is opened, or says in a sentence why not.

A chapter is executed in an environment that holds what Colab preinstalls: in a clone,
as a lone notebook with a local repository as the address, and where something is
missing. Nothing here needs a network.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from autograd_lib.book.ready import OLDEST_NUMPY
from notebooks.notebook import ROOT, chapter_paths, code_cells, read, tagged
from notebooks.setup_cell import setup_cell, stamped_address
from tests.tools.helpers import bare_environment
from tests.tools.helpers.bare_environment import KERNEL, PREINSTALLED, BareEnvironment
from tests.tools.helpers.tree import bare_repository, copy_of_the_tree

CHAPTER = next(path for path in chapter_paths() if path.name.startswith("02"))
WHERE = "import autograd_lib.book\nprint(autograd_lib.__file__)"
NOWHERE = "https://127.0.0.1:9/someone/book"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> BareEnvironment:
    """The bare environment; tests that install into it make their own."""
    return bare_environment.make(tmp_path_factory.mktemp("bare") / "env")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, in which nothing is written."""
    return copy_of_the_tree(tmp_path_factory.mktemp("tree") / "clone")


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the running environment, pip's settings and every index out of sight."""
    for name in [n for n in os.environ if n.startswith(("PIP_", "PYTHON", "VIRTUAL_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))


def execute(
    notebook: NotebookNode, bare: BareEnvironment, folder: Path, stops: bool = False
) -> NotebookNode:
    """Run a notebook in the bare environment, as a file in `folder`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(bare.root / "share"))
        client = NotebookClient(
            notebook,
            timeout=300,
            kernel_name=KERNEL,
            resources={"metadata": {"path": str(folder)}},
        )
        if stops:
            with pytest.raises(Exception, match="SetupStopped"):
                client.execute()
        else:
            client.execute()
    return notebook


def chapter(address: str, whole: bool = False) -> NotebookNode:
    """Return the chapter with an address, and a cell that says what it found.

    Of its own code cells it has the first, which is the setup's, or all.
    """
    notebook = read(CHAPTER)
    (cell,) = tagged(notebook, "setup")
    cell.source = setup_cell(address)
    if not whole:
        notebook.cells = notebook.cells[: notebook.cells.index(cell) + 1]
    for other in code_cells(notebook):
        other.outputs, other.execution_count = [], None
    notebook.cells.append(nbformat.v4.new_code_cell(WHERE))
    return notebook


def place_found(notebook: NotebookNode) -> Path:
    """Return where an executed chapter imported autograd_lib from."""
    (setup,) = tagged(notebook, "setup")
    assert setup.outputs == [], "the setup cell must be silent"
    return Path(notebook.cells[-1].outputs[0].text.strip()).resolve()


def sentence(bare: BareEnvironment, folder: Path, address: str = "") -> str:
    """Run the chapter where it must stop; return all that the reader sees of it."""
    folder.mkdir(exist_ok=True)
    notebook = execute(chapter(address), bare, folder, stops=True)
    first, *rest = code_cells(notebook)
    (output,) = first.outputs
    assert output.ename == "SetupStopped"
    assert output.traceback == [output.evalue]
    assert re.fullmatch(r"[^\n]+[.]", output.evalue)
    assert not any(cell.outputs or cell.execution_count for cell in rest)
    return str(output.evalue)


def test_in_a_clone(bare: BareEnvironment, clone: Path) -> None:
    found = place_found(execute(chapter("", whole=True), bare, clone / "chapters"))
    assert found == (clone / "autograd_lib" / "__init__.py").resolve()


@pytest.mark.exhaustive
def test_a_lone_notebook_installs_the_library_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    colab = bare_environment.make(tmp_path / "colab")
    repository = bare_repository(tmp_path / "book.git", tmp_path / "work")
    bare_environment.wheel_of("setuptools", tmp_path / "wheels")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    before = colab.contents()
    alone = tmp_path / "alone"
    alone.mkdir()
    found = place_found(execute(chapter(repository.as_uri()), colab, alone))
    assert found.is_relative_to(colab.packages.resolve())
    after = colab.contents()
    assert {name: after.get(name) for name in before} == before
    added = {name.partition("/")[0] for name in after.keys() - before.keys()}
    assert all(
        name.startswith(("autograd_lib", "autograd_bottom_up")) for name in added
    )
    # The second run finds it installed: no address is needed any more.
    assert place_found(execute(chapter(""), colab, alone)) == found


def test_without_an_address(bare: BareEnvironment, tmp_path: Path) -> None:
    assert "clone the book's repository" in sentence(bare, tmp_path / "alone")


def test_without_a_network(bare: BareEnvironment, tmp_path: Path) -> None:
    said = sentence(bare, tmp_path / "alone", NOWHERE)
    assert NOWHERE in said
    assert "network" in said


def test_without_git(
    bare: BareEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("git") is None
    assert "git" in sentence(bare, tmp_path / "alone", NOWHERE)


def test_without_pip(tmp_path: Path) -> None:
    names = tuple(name for name in PREINSTALLED if name != "pip")
    bare = bare_environment.make(tmp_path / "without", names)
    assert "pip" in sentence(bare, tmp_path / "alone", NOWHERE)


def test_with_an_old_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 14))
    with pytest.raises(ImportError, match=r"needs Python 3\.11 or newer"):
        exec(setup_cell(), {})


def test_without_a_package_that_the_cells_import(clone: Path, tmp_path: Path) -> None:
    names = tuple(name for name in PREINSTALLED if name != "tqdm")
    bare = bare_environment.make(tmp_path / "without", names)
    said = sentence(bare, clone / "chapters")
    assert "needs NumPy 2.0 or newer, Matplotlib and tqdm" in said


def test_with_an_old_numpy(
    bare: BareEnvironment,
    clone: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    described = tmp_path / "old" / "numpy-1.26.4.dist-info" / "METADATA"
    described.parent.mkdir(parents=True)
    described.write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 1.26.4\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "old"))
    assert "needs NumPy 2.0 or newer" in sentence(bare, clone / "chapters")


def test_beside_another_package_of_that_name(
    bare: BareEnvironment,
    clone: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stranger = tmp_path / "elsewhere" / "autograd_lib"
    stranger.mkdir(parents=True)
    (stranger / "__init__.py").write_text("raise SystemExit('it was imported')\n")
    monkeypatch.setenv("PYTHONPATH", str(stranger.parent))
    said = sentence(bare, tmp_path / "alone", NOWHERE)
    assert "Another package called autograd_lib" in said
    found = place_found(execute(chapter(""), bare, clone / "chapters"))
    assert found.is_relative_to(clone.resolve())


def test_the_address_is_stamped_and_read_back() -> None:
    address = "https://example.org/someone/book"
    assert stamped_address(setup_cell(address)) == address
    assert stamped_address(setup_cell()) == ""
    assert stamped_address("x = 1") == ""


def test_the_oldest_numpy_is_one_wherever_it_is_named() -> None:
    oldest = ".".join(map(str, OLDEST_NUMPY))
    assert f"needs NumPy {oldest} or newer" in setup_cell()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dependencies"] == [f"numpy>={oldest}"]
    assert re.search(
        rf"(?m)^numpy>={re.escape(oldest)}\s", (ROOT / "requirements.txt").read_text()
    )
