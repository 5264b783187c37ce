"""`Tensor` gets its operators and methods in one file, which lists all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograd_lib.engine import Tensor, methods
from autograd_lib.engine.numpy.missing import Missing

ENGINE = Path(methods.__file__).parent
CLASSES = {"Tensor", "Node", "tensors"}


def given_to_classes(source: str) -> Iterator[str]:
    """Yield the statements that give a class of the graph an attribute from outside."""
    for node in ast.walk(ast.parse(source)):
        holders = []
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "setattr":
            holders = [node.args[0]]
        if isinstance(node, ast.Assign):
            holders = [t.value for t in node.targets if isinstance(t, ast.Attribute)]
        if CLASSES.intersection(map(ast.unparse, holders)):
            yield ast.unparse(node)


@pytest.mark.parametrize("form", ["setattr({}, 'a', b)", "def f():\n    {}.a = f"])
def test_an_attribute_that_is_given_elsewhere_is_found(form: str) -> None:
    assert len(list(given_to_classes(form.format("Tensor")))) == 1
    assert list(given_to_classes(form.format("t"))) == []


def test_no_other_file_of_the_engine_gives_tensors_an_attribute() -> None:
    found = {
        path.relative_to(ENGINE).as_posix(): given
        for path in ENGINE.rglob("*.py")
        if (given := list(given_to_classes(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


def test_no_name_is_in_two_families_or_in_the_class_as_well() -> None:
    source = (ENGINE / "methods.py").read_text(encoding="utf-8")
    tables = [n.value for n in ast.parse(source).body if isinstance(n, ast.Assign)]
    rows = [
        row for table in tables if isinstance(table, ast.Dict) for row in table.keys
    ]
    listed = [row.value for row in rows if isinstance(row, ast.Constant)]
    of_nodes = list(methods.OF_NODES)
    assert sorted(listed) == sorted(
        [*methods.METHODS, *methods.ASKED_BY_TAPE, *of_nodes]
    )


def test_every_attribute_is_in_the_class_or_in_the_list() -> None:
    source = (ENGINE / "tape" / "tensor.py").read_text(encoding="utf-8")
    (body,) = [n.body for n in ast.parse(source).body if isinstance(n, ast.ClassDef)]
    own = {n.name for n in body if isinstance(n, ast.FunctionDef)}
    own |= {ast.unparse(n.targets[0]) for n in body if isinstance(n, ast.Assign)}
    given = {**methods.METHODS, **methods.ASKED_BY_TAPE}
    assert own.isdisjoint(given)
    there = {n for n, x in vars(Tensor).items() if not isinstance(x, Missing)}
    assert there >= own | given.keys()
    by_python = {"__module__", "__doc__", "__annotations__", "__dir__"}
    by_python |= {"__static_attributes__", "__firstlineno__", "__annotate_func__"}
    by_python |= {"__annotations_cache__", "__weakref__", *Tensor.__slots__}
    assert there - own - given.keys() <= by_python


def test_a_name_leads_to_its_function() -> None:
    for name, method in methods.METHODS.items():
        assert vars(Tensor)[name] is method
