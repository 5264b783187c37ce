"""The operators and methods of `Tensor`, by family (chapter 14).

The class in `tape` has what a recorded array needs; all else that a tensor can do is a
function of a later room, and gets its name here. So this is the engine's table of
contents: it says in which file each method is, and a new method is a new line.

Names that concern gradients are PyTorch's; all others are NumPy's, with four synonyms.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.leaves import copying, hooks, leaf
from autograd_lib.engine.leaves.leaf import Leaves
from autograd_lib.engine.numpy import coercion, operands
from autograd_lib.engine.numpy.conversion import Conversions
from autograd_lib.engine.numpy.missing import missing
from autograd_lib.engine.numpy.protocol import OPERATIONS, Protocols
from autograd_lib.engine.ops import (
    activations,
    arithmetic,
    choices,
    comparisons,
    complex_parts,
    copies,
    cumulative,
    diagonals,
    error_function,
    exponential,
    habits,
    indexing,
    linear,
    load,
    logsumexp,
    losses,
    matmul,
    matrices,
    products,
    rearranging,
    reductions,
    shapes,
    sums,
    taking,
    trigonometry,
    variances,
)
from autograd_lib.engine.ops.arithmetic import flipped
from autograd_lib.engine.tape import backward
from autograd_lib.engine.tape.node import Node
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.engine.writes import in_place, views
from autograd_lib.engine.writes.in_place import writing

GRADIENTS = {
    "requires_grad": Leaves.requires_grad,
    "requires_grad_": leaf.requires_grad_,
    "is_leaf": Leaves.is_leaf,
    "grad_fn": Leaves.grad_fn,
    "grad": Leaves.grad,
    "zero_grad": leaf.zero_grad,
    "retain_grad": leaf.retain_grad,
    "detach": Leaves.detach,
    "register_hook": hooks.register_hook,
    "backward": backward.backward,
}
ARITHMETIC = {
    "__pos__": copies.positive,
    "__neg__": arithmetic.negative,
    "__abs__": choices.absolute,
    "__round__": comparisons.round_to,
    "__add__": arithmetic.add,
    "__sub__": arithmetic.subtract,
    "__mul__": arithmetic.multiply,
    "__truediv__": arithmetic.divide,
    "__floordiv__": comparisons.floor_divide,
    "__mod__": comparisons.remainder,
    "__divmod__": comparisons.divmod,
    "__pow__": arithmetic.power,
    "__matmul__": matmul.matmul,
}
REFLECTED = {
    "__radd__": flipped(arithmetic.add),
    "__rsub__": flipped(arithmetic.subtract),
    "__rmul__": flipped(arithmetic.multiply),
    "__rtruediv__": flipped(arithmetic.divide),
    "__rfloordiv__": flipped(comparisons.floor_divide),
    "__rmod__": flipped(comparisons.remainder),
    "__rdivmod__": flipped(comparisons.divmod),
    "__rpow__": flipped(arithmetic.power),
    "__rmatmul__": flipped(matmul.matmul),
    "__rand__": flipped(OPERATIONS[np.bitwise_and]),
    "__ror__": flipped(OPERATIONS[np.bitwise_or]),
    "__rxor__": flipped(OPERATIONS[np.bitwise_xor]),
    "__rlshift__": flipped(OPERATIONS[np.left_shift]),
    "__rrshift__": flipped(OPERATIONS[np.right_shift]),
}
COMPARISONS = {
    "__eq__": OPERATIONS[np.equal],
    "__ne__": OPERATIONS[np.not_equal],
    "__lt__": OPERATIONS[np.less],
    "__le__": OPERATIONS[np.less_equal],
    "__gt__": OPERATIONS[np.greater],
    "__ge__": OPERATIONS[np.greater_equal],
    "__and__": OPERATIONS[np.bitwise_and],
    "__or__": OPERATIONS[np.bitwise_or],
    "__xor__": OPERATIONS[np.bitwise_xor],
    "__lshift__": OPERATIONS[np.left_shift],
    "__rshift__": OPERATIONS[np.right_shift],
    "__invert__": OPERATIONS[np.bitwise_not],
}
IN_PLACE = {
    "__setitem__": in_place.setitem,
    "fill": in_place.fill,
    "__iadd__": writing("__iadd__", arithmetic.add, np.add),
    "__isub__": writing("__isub__", arithmetic.subtract, np.subtract),
    "__imul__": writing("__imul__", arithmetic.multiply, np.multiply),
    "__itruediv__": writing("__itruediv__", arithmetic.divide, np.divide),
    "__ipow__": writing("__ipow__", arithmetic.power, np.power),
    "__imod__": writing("__imod__", comparisons.remainder, np.remainder),
    "__ifloordiv__": writing(
        "__ifloordiv__",
        lambda x, y: constant(comparisons.floor_divide(x, y)),
        np.floor_divide,
    ),
    "__imatmul__": writing("__imatmul__", matmul.matmul, np.matmul),
    "__iand__": writing("__iand__", OPERATIONS[np.bitwise_and], np.bitwise_and),
    "__ior__": writing("__ior__", OPERATIONS[np.bitwise_or], np.bitwise_or),
    "__ixor__": writing("__ixor__", OPERATIONS[np.bitwise_xor], np.bitwise_xor),
    "__ilshift__": writing("__ilshift__", OPERATIONS[np.left_shift], np.left_shift),
    "__irshift__": writing("__irshift__", OPERATIONS[np.right_shift], np.right_shift),
}
ELEMENTWISE = {
    "exp": exponential.exp,
    "exp2": exponential.exp2,
    "expm1": exponential.expm1,
    "log": exponential.log,
    "log2": exponential.log2,
    "log10": exponential.log10,
    "log1p": exponential.log1p,
    "sqrt": exponential.sqrt,
    "cbrt": exponential.cbrt,
    "square": exponential.square,
    "reciprocal": exponential.reciprocal,
    "sin": trigonometry.sin,
    "cos": trigonometry.cos,
    "tan": trigonometry.tan,
    "arcsin": trigonometry.arcsin,
    "arccos": trigonometry.arccos,
    "arctan": trigonometry.arctan,
    "sinh": trigonometry.sinh,
    "cosh": trigonometry.cosh,
    "tanh": trigonometry.tanh,
    "arcsinh": trigonometry.arcsinh,
    "arccosh": trigonometry.arccosh,
    "arctanh": trigonometry.arctanh,
    "erf": error_function.erf,
    "relu": activations.relu,
    "sigmoid": activations.sigmoid,
    "softplus": activations.softplus,
    "gelu": activations.gelu,
    "clip": choices.clip,
    "round": OPERATIONS[np.round],
    "conj": complex_parts.conj,
    "conjugate": complex_parts.conj,
    "real": property(complex_parts.real),
    "imag": property(complex_parts.imag),
}
REDUCTIONS = {
    "sum": sums.sum,
    "mean": reductions.mean,
    "var": variances.var,
    "std": variances.std,
    "prod": reductions.prod,
    "max": habits.max,
    "min": habits.min,
    "all": habits.by_name(OPERATIONS[np.all], "all"),
    "any": habits.by_name(OPERATIONS[np.any], "any"),
    "trace": diagonals.trace,
    "logsumexp": logsumexp.logsumexp,
    "softmax": activations.softmax,
    "log_softmax": activations.log_softmax,
    "cross_entropy": losses.cross_entropy,
    "cumsum": cumulative.cumsum,
    "cumprod": cumulative.cumprod,
    "dot": products.dot,
    "linear": linear.linear,
}
POSITIONS = {
    "argmax": habits.by_name(OPERATIONS[np.argmax], "argmax"),
    "argmin": habits.by_name(OPERATIONS[np.argmin], "argmin"),
    "argsort": OPERATIONS[np.argsort],
    "argpartition": OPERATIONS[np.argpartition],
    "searchsorted": OPERATIONS[np.searchsorted],
    "nonzero": OPERATIONS[np.nonzero],
}
SHAPES = {
    "reshape": shapes.reshape_method,
    "ravel": shapes.ravel,
    "flatten": rearranging.flatten,
    "squeeze": shapes.squeeze,
    "transpose": habits.transpose,
    "swapaxes": shapes.swapaxes,
    "T": property(shapes.transpose),
    "mT": property(matrices.matrix_transpose),
}
PARTS = {
    "__getitem__": indexing.getitem,
    "take": taking.take,
    "compress": taking.compress_method,
    "choose": taking.choose,
    "diagonal": diagonals.diagonal,
    "repeat": habits.repeat,
    "copy": copies.copy_method,
    "astype": copies.astype,
}
SYNONYMS = {  # names of PyTorch's that NumPy's arrays don't have
    "abs": choices.absolute,
    "clone": copies.clone,
    "norm": habits.norm,
    "pow": arithmetic.power,
}
CONVERSIONS = {
    "item": Conversions.item,
    "tolist": Conversions.tolist,
    "numpy": Conversions.numpy,
    "__array__": Conversions.__array__,
    "__bool__": Conversions.__bool__,
    "__int__": Conversions.__int__,
    "__float__": Conversions.__float__,
    "__complex__": Conversions.__complex__,
    "__index__": Conversions.__index__,
    "__format__": Conversions.__format__,
    "__len__": Conversions.__len__,
    "__iter__": Conversions.__iter__,
    "__contains__": Conversions.__contains__,
    "size": Conversions.size,
    "itemsize": Conversions.itemsize,
    "nbytes": Conversions.nbytes,
    "strides": Conversions.strides,
    "flags": Conversions.flags,
}
PROTOCOLS = {
    "__array_ufunc__": Protocols.__array_ufunc__,  # through which NumPy's functions
    "__array_function__": Protocols.__array_function__,  # find our operations
    "__copy__": copying.shallow,
    "__deepcopy__": copying.deep,
    "__reduce_ex__": copying.reduced,
}
OF_NODES = {
    "register_hook": hooks.register_posthook,
    "register_prehook": hooks.register_prehook,
}
ASKED_BY_TAPE = {  # what its own code calls, and a later room defines
    "_copied": staticmethod(coercion.copied),
    "_operand": staticmethod(coercion.operand),
    "_plain": staticmethod(coercion.plain),
    "_explained": staticmethod(operands.explained),
    "_widened": staticmethod(operands.widened),
    "_sum_to": sums.sum_to_shape,
    "_begin": leaf.begin,
    "_renewed": views.renewed,
    "_replace": views.replace,
}

METHODS: dict[str, Any] = {
    **GRADIENTS,
    **ARITHMETIC,
    **REFLECTED,
    **COMPARISONS,
    **IN_PLACE,
    **ELEMENTWISE,
    **REDUCTIONS,
    **POSITIONS,
    **SHAPES,
    **PARTS,
    **SYNONYMS,
    **CONVERSIONS,
    **PROTOCOLS,
}
"""The public ones."""


def add_to(kind: type, methods: dict[str, Any]) -> None:
    """Give a class methods and properties, by name."""
    for name, method in methods.items():
        setattr(kind, name, method)


add_to(Tensor, METHODS)
add_to(Tensor, ASKED_BY_TAPE)
add_to(Node, OF_NODES)
load()  # the other operations, so that it is known which functions take tensors
add_to(Tensor, missing(Tensor, OPERATIONS))
