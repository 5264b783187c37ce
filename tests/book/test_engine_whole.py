"""The folds of chapters 04 and 12 with a whole engine have the pages' code, and run."""

import ast
import re
from typing import Any

import numpy as np
import pytest
from nbformat import NotebookNode

from autograd_lib.engine import Tensor, grad
from autograd_lib.scalar.value import Value
from notebooks.notebook import ROOT, code_cells, read

PAGE = read(ROOT / "chapters/12_tensor.ipynb")
SCALARS = read(ROOT / "chapters/04_value.ipynb")


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


def test_the_scalar_engine_agrees_with_the_library() -> None:
    small: dict[str, Any] = {}
    exec(folded(SCALARS), small)

    def gradients(value: Any) -> list[float]:
        x, y = value(3.0), value(4.0)
        b = x * y
        loss = ((x**2 + b * (2 * b + y)) ** 0.5 + -4) * b
        dropped = b * b  # leads nowhere
        assert dropped.data
        loss.backward()
        loss.backward()
        return [x.grad, y.grad]

    np.testing.assert_allclose(gradients(small["Value"]), gradients(Value), rtol=1e-14)


def test_its_backward_is_the_last_one_of_the_page() -> None:
    bodies = [
        ast.dump(node)
        for source in (*(c.source for c in code_cells(SCALARS)), folded(SCALARS))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == "backward"
    ]
    assert len(bodies) == 3
    assert bodies[-1] == bodies[-2] != bodies[0]
