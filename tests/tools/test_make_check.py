"""`make check` finds the tests of what changed, and says what it leaves."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograd_lib.check.faults import FAULTS
from notebooks.notebook import ROOT, normal_form
from tests.faults.more_faults import MORE_FAULTS
from tools import check
from tools.belongs import FACES, WALKERS, all_imports, distances, module_of, modules
from tools.check import NoAnswer, Plan, commands, everything, planned, what_changed

FILES = {
    "autograd_lib/__init__.py": 'WHERE = {"Tensor": "engine", "rest": "rest"}\n',
    "autograd_lib/engine/__init__.py": "from autograd_lib.engine.ops import load\n",
    "autograd_lib/engine/ops/__init__.py": "def load(): ...\n",
    "autograd_lib/engine/ops/sums.py": "",
    "autograd_lib/engine/tape/__init__.py": "",
    "autograd_lib/engine/tape/tensor.py": "",
    "autograd_lib/rest.py": "",
    "autograd_lib/scalar.py": '"""Read me.md.\n\n>>> 1\n1\n"""\nTEXT = "words.txt"\n',
    "autograd_lib/words.txt": "",
    "tools/__init__.py": "",
    "tools/sets.py": 'SETS = HERE.glob("*.toml")\n',
    "tools/first.toml": "",
    "tests/conftest.py": "",
    "tests/library/helpers/points.py": "",
    "tests/library/package/test_face.py": "import autograd_lib as ag\nt = ag.Tensor\n",
    "tests/library/test_scalar.py": "from autograd_lib import scalar\n",
    "tests/library/test_sums.py": "from numpy import sum\n",
    "tests/library/tape/test_tensor.py": "import autograd_lib.engine.tape.tensor\n"
    "from tests.library.helpers import points\n",
    "tests/library/test_whole.py": "import autograd_lib as ag\nrows(ag)\n",
    "tests/tools/test_sets.py": "import tools.sets\n",
    "tests/book/helpers/built_book.py": "",
    "tests/book/test_site.py": "from tests.book.helpers import built_book\n"
    "import autograd_lib.scalar\n",
    "tests/browser/test_browser.py": "import autograd_lib.scalar\n",
    "me.md": "",
    "LICENSE": "",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small repository, with one commit."""
    root = tmp_path / "tree"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git(root, "init", "--quiet", "--initial-branch=main")
    commit(root)
    return root


def git(root: Path, *command: str) -> None:
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *who, *command], cwd=root, check=True, capture_output=True)


def commit(root: Path) -> None:
    git(root, "add", "--all", "--force")
    git(root, "commit", "--quiet", "--no-verify", "--message=All of it")


def stems(paths: list[str]) -> list[str]:
    return [Path(path).stem.removeprefix("test_") for path in paths]


ENGINE = ["face", "tensor", "whole"]


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("autograd_lib/engine/tape/tensor.py", ["tensor"]),
        ("autograd_lib/engine/__init__.py", ENGINE),
        ("autograd_lib/rest.py", ["whole"]),  # whoever hands a face on may ask for all
        ("autograd_lib/scalar.py", ["scalar"]),
        ("autograd_lib/words.txt", ["scalar"]),
        ("autograd_lib/__init__.py", ["face", "scalar", "tensor", "whole"]),
        ("tests/library/helpers/points.py", ["tensor"]),
        ("tests/library/test_sums.py", ["sums"]),
        ("tests/conftest.py", ["face", "scalar", "sets", "sums", "tensor", "whole"]),
        ("tools/sets.py", ["sets"]),
        ("tools/first.toml", ["sets"]),
        ("me.md", []),  # only a docstring names it
    ],
)
def test_what_belongs_to_a_file(tree: Path, changed: str, tests: list[str]) -> None:
    assert sorted(stems(planned(tree, [changed]).tests)) == tests


@pytest.mark.exhaustive
def test_an_operation_is_tried_by_its_cases_and_a_few_sentinels() -> None:
    plan = planned(ROOT, ["autograd_lib/engine/ops/trigonometry.py"])
    assert "numpy.sin" in plan.operations and "numpy.exp" not in plan.operations
    assert "tests/library/ops/test_operations.py" in plan.of_cases
    assert {"ops_trigonometry", "backward_rules", "optim"} <= set(stems(plan.tests))
    assert len(plan.tests) < 12
    runs = commands(plan, python=True)
    assert "numpy.sin] or " in runs["cases"][-1]
    assert runs["ruff check"][-1] == "autograd_lib/engine/ops/trigonometry.py"
    mixed = [
        "autograd_lib/engine/ops/trigonometry.py",
        "autograd_lib/engine/tape/walk.py",
    ]
    assert planned(ROOT, mixed).operations == []


def test_the_nearest_tests_come_first(tree: Path) -> None:
    (tree / "autograd_lib/rest.py").write_text("import autograd_lib.scalar\n")
    assert stems(planned(tree, ["autograd_lib/scalar.py"]).tests) == ["scalar", "whole"]


def test_a_module_that_is_no_more_is_still_imported(tree: Path) -> None:
    (tree / "autograd_lib/scalar.py").unlink()
    assert stems(planned(tree, ["autograd_lib/scalar.py"]).tests) == ["scalar"]


def test_the_first_lines_say_what_is_run_and_what_is_left(tree: Path) -> None:
    plan = planned(tree, ["autograd_lib/scalar.py", "LICENSE"])
    assert plan.summary().splitlines() == [
        "Run: 1 of 8 test files; the examples of 1 module.",
        "Left to make test: the built pages; 2 test files on them; LICENSE, "
        "which no test here reads.",
    ]


def test_a_change_of_words_is_tried_by_the_examples_among_them(tree: Path) -> None:
    path = "autograd_lib/scalar.py"
    text = (tree / path).read_text()
    (tree / path).write_text("# More.\n" + text.replace("Read me", "Read it"))
    plan = planned(tree, [path], "HEAD")
    assert (plan.words_of, plan.tests, plan.examples) == ([path], [], [path])
    assert f"Nothing but words changed in {path}." in plan.summary()
    assert list(commands(plan, python=True)) == ["ruff check", "ruff format", "tests"]
    (tree / path).write_text(text + "x = 1  # type: ignore\n")
    commit(tree)
    (tree / path).write_text(text + "x = 1\n")
    assert planned(tree, [path], "HEAD").words_of == []  # mypy reads that comment
    assert planned(tree, [path]).words_of == []  # it was named


def test_slow_tests_run_only_for_what_they_import_themselves(tree: Path) -> None:
    slow = "tests/course/test_course_of_the_tree.py"
    (tree / slow).parent.mkdir()
    (tree / slow).write_text("import tools.sets\n")
    (tree / "tools/deep.py").touch()
    (tree / "tools/sets.py").write_text("import tools.deep\n")
    assert slow in planned(tree, ["tools/sets.py"]).tests
    plan = planned(tree, ["tools/deep.py"])
    assert plan.slow == [slow]
    assert f"1 slow file, such as {slow}" in plan.summary()


def test_everything_is_all_but_what_needs_the_book(tree: Path) -> None:
    plan = everything(tree)
    assert len(plan.tests) == 6
    assert len(plan.need_book) == 2
    assert plan.examples == ["autograd_lib/scalar.py"]


def notebook(*cells: nbformat.NotebookNode) -> str:
    made = nbformat.v4.new_notebook(cells=list(cells))
    return normal_form(made).decode()


def test_a_notebooks_cells_run_again_only_if_they_or_their_outputs_changed(
    tree: Path,
) -> None:
    path = tree / "chapters" / "01_a.ipynb"
    path.parent.mkdir()
    code = nbformat.v4.new_code_cell("import autograd_lib.scalar")
    path.write_text(notebook(code), encoding="utf-8")
    name = "chapters/01_a.ipynb"
    assert planned(tree, [name], "HEAD").executed == [name]  # it is new
    commit(tree)
    words = nbformat.v4.new_markdown_cell("Other words.")
    path.write_text(notebook(code, words), encoding="utf-8")
    plan = planned(tree, [name], "HEAD")
    assert (plan.notebooks, plan.executed) == ([name], [])
    assert "the tests of 01_a, not its cells" in plan.summary()
    code.outputs = [nbformat.v4.new_output("stream", text="1\n")]
    path.write_text(notebook(code, words), encoding="utf-8")
    assert planned(tree, [name], "HEAD").executed == [name]
    plan = planned(tree, ["autograd_lib/scalar.py"])
    assert plan.stale == [name]
    assert "are stale (make refresh): 01_a." in plan.summary()
    path.unlink()
    assert planned(tree, [name], "HEAD").notebooks == []


@pytest.mark.exhaustive
def test_a_notebooks_tests_are_chosen_by_its_name_and_number() -> None:
    plan = Plan(notebooks=["chapters/04_order.ipynb"])
    runs = commands(plan, python=False)
    assert list(runs) == ["ruff check", "ruff format", "notebooks"]
    assert runs["notebooks"][-2:] == ["-k", "04_order or [4."]
    assert "-n0" in runs["notebooks"]  # no cell is executed
    plan.executed += plan.notebooks
    assert "-n0" not in commands(plan, python=False)["notebooks"]
    listed = [*commands(plan, python=False)["notebooks"], "--collect-only", "-n0"]
    done = subprocess.run(
        [sys.executable, "-m", *listed], cwd=ROOT, capture_output=True, text=True
    )
    lines = done.stdout.splitlines()
    for part in (
        "chapters/04_order.ipynb::Cell 0",
        "::test_the_solution_passes[4.1]",
        "::test_outputs_follow_from_the_code_as_it_is[04_order]",
    ):
        assert any(line.endswith(part) for line in lines), part
    assert not any("[14.1]" in line or "05_scalar_network" in line for line in lines)


def test_a_few_tests_need_no_other_processes() -> None:
    assert "-n0" in commands(Plan(tests=["a"]), python=True)["tests"]
    assert "-n0" not in commands(Plan(tests=["a"] * 20), python=True)["tests"]


def test_git_says_what_changed_committed_or_not(tree: Path, tmp_path: Path) -> None:
    assert what_changed(tree) == ("HEAD", [])
    (tree / ".gitignore").write_text("made/\n")
    commit(tree)
    (tree / "made").mkdir()
    (tree / "made" / "page.py").touch()
    (tree / "tools" / "neu ä.py").touch()
    (tree / "LICENSE").unlink()
    (tree / "me.md").write_text("staged")
    git(tree, "add", "me.md")
    (tree / "autograd_lib" / "rest.py").write_text("x = 1\n")
    now = ["LICENSE", "autograd_lib/rest.py", "me.md", "tools/neu ä.py"]
    assert what_changed(tree) == ("HEAD", now)
    with pytest.raises(NoAnswer):
        what_changed(tmp_path)


def test_changes_are_counted_from_where_the_branch_left_the_remotes(
    tree: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(tree), str(clone))
    git(clone, "switch", "--quiet", "--create", "mine")
    (clone / "me.md").write_text("mine")
    commit(clone)
    (tree / "LICENSE").write_text("theirs")
    commit(tree)
    git(clone, "fetch", "--quiet")
    since, changed = what_changed(clone)
    assert len(since) == 10
    assert changed == ["me.md"]


def test_where_nothing_changed_nothing_runs(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "ROOT", tree)
    assert check.main([]) == 0
    assert capsys.readouterr().out == (
        "Nothing has changed since HEAD: there is nothing to check.\n"
    )


def test_without_git_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "ROOT", tmp_path)
    assert check.main([]) == 2
    assert "make check ARGS=--all" in capsys.readouterr().out


def test_what_fails_is_named_last(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "ROOT", tree)
    monkeypatch.setattr(check, "failing", lambda plan, python: ["mypy", "tests"])
    assert check.main(["autograd_lib/scalar.py"]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == "Changed: autograd_lib/scalar.py."
    assert last == "Not right: mypy, tests."


# Of the repository itself.


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    return all_imports(modules(ROOT))


@pytest.mark.parametrize("fault", [*FAULTS, *MORE_FAULTS], ids=lambda fault: fault.name)
def test_a_planted_fault_belongs_to_the_tests_that_find_it(
    fault: object, imports: dict[str, set[str]]
) -> None:
    where = fault.where  # type: ignore[attr-defined]
    while where not in imports:
        where = where.rpartition(".")[0]
    assert where.startswith("autograd_lib.")
    far = distances([where], imports)
    assert {
        "tests.library.ops.test_operations",
        "tests.library.check.test_gradcheck",
    } <= set(far)


@pytest.mark.parametrize(
    "test",
    [
        "library.ops.test_operations",
        "library.program.test_program_models",
        "book.test_show",
    ],
)
def test_no_import_is_overlooked(test: str, imports: dict[str, set[str]]) -> None:
    """What a test's module loads in truth is among what is read from the sources."""
    name = f"tests.{test}"
    code = f"import json, sys, {name}; print(json.dumps(list(sys.modules)))"
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    loaded = set(json.loads(done.stdout)) & set(imports)
    assert any(module.startswith("autograd_lib.") for module in loaded)
    assert [one for one in loaded if name not in distances([one], imports)] == []


def test_all_that_imports_by_made_up_names_is_known() -> None:
    for name, path in modules(ROOT).items():
        source = path.read_text(encoding="utf-8")
        if name.startswith(("autograd_lib", "tests.library")):
            walks = re.search(r"pkgutil\.(iter_modules|walk_packages)\(", source)
            assert bool(walks) == (name in WALKERS), name
            assert ("\nWHERE = " in source) == (name in FACES), name


def test_every_test_file_has_a_module(imports: dict[str, set[str]]) -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        assert module_of(path.relative_to(ROOT).as_posix()) in imports
