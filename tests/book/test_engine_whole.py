"""The fold of chapter 12 with a whole engine has the page's code, and runs."""

import ast
import re

import numpy as np
import pytest
from nbformat import NotebookNode

from autograd_lib.engine import Tensor, grad
from notebooks.notebook import ROOT, code_cells, read

PAGE = read(ROOT / "chapters/12_tensor.ipynb")


def definitions(source: str) -> dict[str, str]:
    """Return what code defines, by name, as trees without comments."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = ast.dump(node)
        elif isinstance(node, ast.Assign):
            found[ast.unparse(node.targets[0])] = ast.dump(node)
    return found


def folded(page: NotebookNode) -> str:
    """Return the code of a page's fold, which says how many lines it has."""
    texts = [cell.source for cell in page.cells if cell.cell_type == "markdown"]
    (text,) = [text for text in texts if "<summary>The engine, whole" in text]
    fold = text[text.index("<summary>The engine, whole") :].partition("</details>")[0]
    (code,) = re.findall(r"(?ms)^```python\n(.*?)^```$", fold)
    said = int(re.findall(r"whole: (\d+) lines", fold)[0])
    assert said == sum(bool(line.strip()) for line in code.splitlines())
    return str(code)


@pytest.fixture(scope="module")
def engine() -> str:
    """The code of chapter 12's fold."""
    return folded(PAGE)


def test_each_definition_is_the_last_one_of_the_page(engine: str) -> None:
    last: dict[str, str] = {}
    for cell in code_cells(PAGE):
        if "autograd_lib.engine import" in cell.source:
            break  # the library's version begins
        last |= definitions(cell.source)
    for name, tree in definitions(engine).items():
        assert tree == last[name], name


def test_the_three_mends_are_marked(engine: str) -> None:
    assert sorted(set(re.findall(r"# accident (\d)", engine))) == list("123")


def test_it_runs_and_agrees_with_the_library(engine: str) -> None:
    small: dict[str, object] = {}
    exec(engine, small)
    rng = np.random.default_rng(12)
    arrays = [rng.normal(size=shape) for shape in ((5, 3), (3, 4), (4,))]
    leaves = [small["leaf"](a) for a in arrays]  # type: ignore[operator]
    x, w, b = leaves
    grads = small["walk"](  # type: ignore[operator]
        ((x @ w + b).tanh() * w.sum()).sum().node, np.array(1.0)
    )
    theirs = [Tensor(a, requires_grad=True) for a in arrays]
    x, w, b = theirs
    expected = grad(((x @ w + b).tanh() * w.sum()).sum(), theirs)
    for ours, other in zip(leaves, expected, strict=True):
        # The same rules in the same order: a few last bits.
        assert other is not None
        np.testing.assert_allclose(grads[ours.node], other.numpy(), rtol=1e-12)
