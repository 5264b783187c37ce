"""Source code printed from the library itself."""

import inspect
import math

import pytest

from autograd_lib import book, graph
from autograd_lib.book.show import Show, without_docstrings
from autograd_lib.book.table import Table
from autograd_lib.scalar.float_var import exp, float_var, square


class Sample:
    """Text of a class."""

    def method(self):
        """Text of a method."""

        return 1

    @property
    def attribute(self):
        return 2

    def described(self):
        """Only text."""


def test_a_function_is_shown_under_the_file_it_is_from():
    source = inspect.getsource(graph.topological_order)
    shown = f"# autograd_lib/graph.py\n{source}".rstrip()
    assert repr(Show(graph.topological_order)) == shown
    assert Show(graph.topological_order)._repr_markdown_() == f"```python\n{shown}\n```"


def test_methods_and_properties_are_shown_without_indentation():
    method = Show(Sample.method).source.splitlines()
    assert method[1] == "def method(self):"
    attribute = Show(Sample.attribute).source.splitlines()
    assert attribute[1:] == ["@property", "def attribute(self):", "    return 2"]


def test_classes_and_modules_are_shown_whole():
    assert "def backprop" in Show(float_var).source
    assert Show(graph).source.startswith("# autograd_lib/graph.py\n")
    assert Show(graph).source.endswith("return order")


def test_a_package_is_shown_under_its_init_file():
    assert Show(book).source.startswith("# autograd_lib/book/__init__.py\n")


def test_a_primitive_shows_the_function_it_was_made_from():
    assert "@chained" in Show(square).source
    assert "return val_in * val_in" in Show(square).source


def test_the_file_is_named_once_for_neighbours_and_again_for_another_file():
    source = Show(Sample.method, Sample.attribute, Table.__repr__).source
    assert source.count("# autograd_lib/book/table.py\n") == 1
    assert source.count("test_show.py\n") == 1


def test_docstrings_can_be_left_out():
    source = Show(Sample, docstring=False).source
    assert "Text of" not in source
    assert '"""Only text."""' in source
    assert "    def method(self):\n        return 1\n" in source


def test_code_without_docstrings_means_the_same():
    source = inspect.getsource(graph)
    names = {}
    exec(without_docstrings(source), names)
    assert names["topological_order"].__doc__ is None
    order = names["topological_order"]("y", {"y": ["x"], "x": []}.get, key=str)
    assert order == ["x", "y"]


@pytest.mark.parametrize("thing", [3, "graph", None, math.sin, exp])
def test_what_has_no_python_source_is_refused(thing):
    with pytest.raises(TypeError, match=r"Show: .* has no Python source; pass a"):
        Show(thing)


def test_nothing_to_show_is_refused():
    with pytest.raises(TypeError, match="Show: name at least one"):
        Show()
