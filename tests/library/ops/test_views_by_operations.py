"""Every result that shows the memory of an operand is declared a view."""

from __future__ import annotations

from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.rules import is_view
from autograd_lib.engine.tape.node import Node
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.witness_of_writes import leaf
from tests.library.operations.case import all_cases

# The operations of which some case shows an input: all of NumPy's views.
SHOW = {
    "Tensor.__getitem__",
    "numpy.atleast_1d",
    "numpy.atleast_2d",
    "numpy.atleast_3d",
    "numpy.broadcast_to",
    "numpy.diag",
    "numpy.diagonal",
    "numpy.dsplit",
    "numpy.einsum",
    "numpy.expand_dims",
    "numpy.flip",
    "numpy.fliplr",
    "numpy.flipud",
    "numpy.hsplit",
    "numpy.lib.stride_tricks.sliding_window_view",
    "numpy.linalg.diagonal",
    "numpy.linalg.matrix_transpose",
    "numpy.matrix_transpose",
    "numpy.moveaxis",
    "numpy.ravel",
    "numpy.reshape",
    "numpy.rollaxis",
    "numpy.rot90",
    "numpy.squeeze",
    "numpy.swapaxes",
    "numpy.transpose",
    "numpy.vsplit",
}


def test_a_result_that_shows_an_input_is_declared_a_view() -> None:
    show: set[str] = set()
    for case in all_cases():
        ys = [leaf(x) * 1.0 for x in case.inputs]
        result = case.f(*ys)
        for t in result if isinstance(result, list | tuple) else [result]:
            if not isinstance(t, Tensor) or t.node is None:
                continue
            for y in ys:
                if t is not y and memory_of(t.data) is memory_of(y.data):
                    assert leads_back_by_views(t.node, y.node), case.id
                    show.add(case.operation)
    assert show == SHOW


def leads_back_by_views(v: Node | None, base: Node | None) -> bool:
    while v is not base and v is not None and is_view(v):
        v = v.edges[0][0]
    return v is base
