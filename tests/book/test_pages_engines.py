"""The engines that chapters 07 and 08 build: what their cures have to bear."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import numpy

from notebooks.notebook import ROOT, code_cells, python_source, read, tags

NOT_RUN = {"setup", "figure", "exercise"}


def built(chapter: str, *names: str) -> SimpleNamespace:
    """Return what a page defines last under these names, and its imports of ours."""
    last: dict[str, ast.stmt] = {}
    for cell in code_cells(read(ROOT / "chapters" / f"{chapter}.ipynb")):
        if not NOT_RUN & {*tags(cell)}:
            for line in ast.parse(python_source(cell)).body:
                if isinstance(line, ast.ImportFrom | ast.Import):
                    last.setdefault(ast.unparse(line), line)
                elif getattr(line, "name", None) in names:
                    last[line.name] = line  # type: ignore[attr-defined]
    assert {*names} <= {*last}
    space: dict[str, object] = {}
    exec(ast.unparse(ast.Module([*last.values()], [])), space)
    return SimpleNamespace(**space)


def test_a_loss_that_starts_from_zero_keeps_its_gradient() -> None:
    names = ["Dependency", "parents", "backward", "mul", "add", "init", "leaf", "iadd"]
    page = built("07_dependency", "Tensor", *names)
    page.Tensor.__init__, page.Tensor.backward = page.init, page.backward
    page.Tensor.__mul__, page.Tensor.__add__ = page.mul, page.add
    page.Tensor.__iadd__ = page.iadd

    w, loss = page.leaf(5.0), page.Tensor(0.0)
    for _ in range(2):
        loss += w * w
    loss.backward()
    assert (loss.data, w.grad) == (50.0, 20.0)

    same = w
    w += page.Tensor(1.0)
    assert w is same
    assert (w.data, w.grad) == (6.0, 0.0)


def test_a_derivative_of_what_its_variable_is_not_in_is_zero() -> None:
    names = ["primitive_by_level", "with_rules", "backward", "grad_by_level"]
    page = built("08_tracing", "Box", "with_level", *names)
    page.Box.__init__ = page.with_level
    page.backward.__globals__["running"] = []
    np = page.with_rules(page.primitive_by_level)
    page.Box.__add__ = page.Box.__radd__ = lambda x, y: np.add(x, y)
    page.Box.__mul__ = page.Box.__rmul__ = lambda x, y: np.multiply(x, y)
    grad = page.grad_by_level

    assert grad(grad(lambda x: x + x))(3.0) == 0.0
    assert grad(lambda y: 7.0)(3.0) == 0.0
    assert grad(lambda x: x * grad(lambda y: x * x)(4.0))(3.0) == 0.0
    assert grad(lambda x: x * x + grad(lambda y: x * x)(4.0))(3.0) == 6.0
    assert grad(grad(lambda x: x * x * x))(3.0) == 18.0
    assert grad(lambda y: np.exp(y) * np.cos(y) * numpy.float64(2.0))(0.0) == 2.0
