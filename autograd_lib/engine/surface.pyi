# Written by `python -m tools.surface` from `methods.py`; do not edit.
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograd_lib.engine.leaves.hooks import Handle
from autograd_lib.engine.tape.node import Node
from autograd_lib.engine.tape.tensor import Tensor

class Operations:
    def __hash__(self) -> int: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray: ...
    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any: ...
    def __array_function__(
        self, function: Any, types: Any, args: Any, options: Any
    ) -> Any: ...
    @property
    def T(self) -> Tensor:
        """Return x with the axes in another order, by default the reverse."""
    def __abs__(self) -> Tensor: ...
    def __add__(self, y: Any, /) -> Tensor: ...
    def __and__(self, y: Any, /) -> Any: ...
    def __bool__(self) -> bool: ...
    def __complex__(self) -> complex: ...
    def __contains__(self, item: Any, /) -> bool: ...
    def __divmod__(self, y: Any, /) -> tuple[Any, Tensor]: ...
    def __eq__(self, other: object, /) -> Any: ...
    def __float__(self) -> float: ...
    def __floordiv__(self, y: Any, /) -> Any: ...
    def __format__(self, spec: str, /) -> str: ...
    def __ge__(self, y: Any, /) -> Any: ...
    def __getitem__(self, index: Any, /) -> Tensor: ...
    def __gt__(self, y: Any, /) -> Any: ...
    def __iadd__(self, y: Any, /) -> Tensor: ...
    def __iand__(self, y: Any, /) -> Tensor: ...
    def __ifloordiv__(self, y: Any, /) -> Tensor: ...
    def __ilshift__(self, y: Any, /) -> Tensor: ...
    def __imatmul__(self, y: Any, /) -> Tensor: ...
    def __imod__(self, y: Any, /) -> Tensor: ...
    def __imul__(self, y: Any, /) -> Tensor: ...
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __invert__(self) -> Any: ...
    def __ior__(self, y: Any, /) -> Tensor: ...
    def __ipow__(self, y: Any, /) -> Tensor: ...
    def __irshift__(self, y: Any, /) -> Tensor: ...
    def __isub__(self, y: Any, /) -> Tensor: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __itruediv__(self, y: Any, /) -> Tensor: ...
    def __ixor__(self, y: Any, /) -> Tensor: ...
    def __le__(self, y: Any, /) -> Any: ...
    def __len__(self) -> int: ...
    def __lshift__(self, y: Any, /) -> Any: ...
    def __lt__(self, y: Any, /) -> Any: ...
    def __matmul__(self, y: Any, /) -> Tensor: ...
    def __mod__(self, y: Any, /) -> Tensor: ...
    def __mul__(self, y: Any, /) -> Tensor: ...
    def __ne__(self, other: object, /) -> Any: ...
    def __neg__(self) -> Tensor: ...
    def __or__(self, y: Any, /) -> Any: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, y: Any, /) -> Tensor: ...
    def __radd__(self, x: Any, /) -> Tensor: ...
    def __rand__(self, x: Any, /) -> Any: ...
    def __rdivmod__(self, x: Any, /) -> tuple[Any, Tensor]: ...
    def __rfloordiv__(self, x: Any, /) -> Any: ...
    def __rlshift__(self, x: Any, /) -> Any: ...
    def __rmatmul__(self, x: Any, /) -> Tensor: ...
    def __rmod__(self, x: Any, /) -> Tensor: ...
    def __rmul__(self, x: Any, /) -> Tensor: ...
    def __ror__(self, x: Any, /) -> Any: ...
    def __round__(self, digits: int | None = None, /) -> Any: ...
    def __rpow__(self, x: Any, /) -> Tensor: ...
    def __rrshift__(self, x: Any, /) -> Any: ...
    def __rshift__(self, y: Any, /) -> Any: ...
    def __rsub__(self, x: Any, /) -> Tensor: ...
    def __rtruediv__(self, x: Any, /) -> Tensor: ...
    def __rxor__(self, x: Any, /) -> Any: ...
    def __setitem__(self, index: Any, value: Any, /) -> None: ...
    def __sub__(self, y: Any, /) -> Tensor: ...
    def __truediv__(self, y: Any, /) -> Tensor: ...
    def __xor__(self, y: Any, /) -> Any: ...
    def abs(self) -> Tensor:
        """Return the absolute value. Its slope at 0 is 0."""
    def all(self, axis: Any = None, keepdims: Any = ..., *, where: Any = ...) -> Any:
        """Return what numpy.all returns for the arrays."""
    def any(self, axis: Any = None, keepdims: Any = ..., *, where: Any = ...) -> Any:
        """Return what numpy.any returns for the arrays."""
    def arccos(self) -> Tensor:
        """Return the angle, from 0 to π, that has the cosine x."""
    def arccosh(self) -> Tensor:
        """Return the number, at least 0, whose cosh is x."""
    def arcsin(self) -> Tensor:
        """Return the angle, from -π/2 to π/2, that has the sine x."""
    def arcsinh(self) -> Tensor:
        """Return the number whose sinh is x."""
    def arctan(self) -> Tensor:
        """Return the angle, from -π/2 to π/2, that has the tangent x."""
    def arctanh(self) -> Tensor:
        """Return the number whose tanh is x."""
    def argmax(self, axis: Any = None, *, keepdims: Any = ...) -> Any:
        """Return what numpy.argmax returns for the arrays."""
    def argmin(self, axis: Any = None, *, keepdims: Any = ...) -> Any:
        """Return what numpy.argmin returns for the arrays."""
    def argpartition(self, kth: Any, axis: Any = -1, kind: Any = 'introselect', order: Any = None) -> Any:
        """Return what numpy.argpartition returns for the arrays."""
    def argsort(self, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
        """Return what numpy.argsort returns for the arrays."""
    def astype(self, dtype: Any, *, copy: bool = True) -> Tensor:
        """Return the numbers in another type."""
    def backward(self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False) -> None:
        """Add this tensor's derivative with respect to each leaf to the leaf's `grad`."""
    def cbrt(self) -> Tensor:
        """Return the cube root, negative for negative numbers."""
    def choose(self, choices: Any, out: Any = None, mode: str = 'raise') -> Tensor:
        """Return, at each place, the element of that choice whose number x has there."""
    def clip(self, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Tensor:
        """Return the numbers, with those beyond a bound replaced by the bound."""
    def clone(self) -> Tensor:
        """Return a copy of the elements, which passes gradients on, like `copy`."""
    def compress(self, condition: Any, axis: int | None = None, out: Any = None) -> Tensor:
        """Return the slices, or the elements, where a condition is true."""
    def conj(self) -> Tensor:
        """Return the conjugate; a real tensor unchanged."""
    def conjugate(self) -> Tensor:
        """Return the conjugate; a real tensor unchanged."""
    def copy(self, order: Any = 'C') -> Tensor:
        """Return a copy of the elements, in C order unless another is asked for."""
    def cos(self) -> Tensor:
        """Return the cosine of angles in radians."""
    def cosh(self) -> Tensor:
        """Return (eˣ + e⁻ˣ)/2."""
    def cross_entropy(self, labels: Any) -> Tensor:
        """Return the mean of -log softmax(x) at the labels."""
    def cumprod(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> Tensor:
        """Return running products along an axis, or of all elements in one row."""
    def cumsum(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> Tensor:
        """Return running sums along an axis, or of all elements in one row."""
    def detach(self) -> Tensor:
        """Return a constant that shares this tensor's array."""
    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
        """Return the diagonals of two axes, along a new last axis: a read-only view."""
    def dot(self, y: Any) -> Tensor:
        """Return the sum of products over the last axis of x and the last but one of y."""
    def erf(self) -> Tensor:
        """Return 2/√π times the integral of e^(-t²) for t from 0 to x."""
    def exp(self) -> Tensor:
        """Return e to the power of each element."""
    def exp2(self) -> Tensor:
        """Return 2 to the power of each element."""
    def expm1(self) -> Tensor:
        """Return eˣ - 1, exact for small x too."""
    def fill(self, value: Any) -> None:
        """Write one value into all elements, in place."""
    @property
    def flags(self) -> Any:
        """The memory layout of the array."""
    def flatten(self, order: str = 'C') -> Tensor:
        """Return a copy of all elements along one axis, by rows, or by columns for "F"."""
    def gelu(self, approximate: str = 'none') -> Tensor:
        """Return x·Φ(x), where Φ(x) is the probability that a normal number is below x."""
    @property
    def grad(self) -> Any:
        """The sum of the gradients from backward passes; None before the first."""
    @grad.setter
    def grad(self, value: Any) -> None: ...
    @grad.deleter
    def grad(self) -> None: ...
    @property
    def grad_fn(self) -> Node | None:
        """The node of a recorded result; None for a leaf."""
    @property
    def imag(self) -> Any:
        """Return the imaginary part; for a real tensor a plain array of zeros."""
    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made the tensor."""
    def item(self, *index: Any) -> Any:
        """Return the only element, or the one at `index`, as a Python number."""
    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
    def linear(self, weights: Any, bias: Any) -> Tensor:
        """Return x·W + b for each row of x."""
    def log(self) -> Tensor:
        """Return the natural logarithm."""
    def log10(self) -> Tensor:
        """Return the logarithm to base 10."""
    def log1p(self) -> Tensor:
        """Return log(1 + x), exact for small x too."""
    def log2(self) -> Tensor:
        """Return the logarithm to base 2."""
    def log_softmax(self, axis: int | tuple[int, ...] | None = -1) -> Tensor:
        """Return the logarithm of `softmax`, finite even where softmax underflows."""
    def logsumexp(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return log(exp(x₁) + exp(x₂) + …), -inf if all are -inf or there are none."""
    @property
    def mT(self) -> Tensor:
        """Return a view of matrices with rows and columns exchanged."""
    def max(self, axis: int | tuple[int, ...] | None = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
        """Return the largest element, or the largest along axes, without their indices."""
    def mean(self, axis: int | tuple[int, ...] | None = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True) -> Tensor:
        """Return the mean over all axes, or over those given; NaN if there are no elements."""
    def min(self, axis: int | tuple[int, ...] | None = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
        """Return the smallest element, or the smallest along axes; NaN if an element is."""
    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
    def nonzero(self) -> Any:
        """Return what numpy.nonzero returns for the arrays."""
    def norm(self, ord: Any = None, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return a norm of vectors along an axis, or of matrices along two."""
    def numpy(self) -> np.ndarray:
        """Return the array itself, unless the tensor needs a gradient."""
    def pow(self, y: Any) -> Tensor:
        """Return x to the power of y. Where x and y are 0, the slope in x is 0."""
    def prod(self, axis: int | tuple[int, ...] | None = None, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
        """Return the product over all axes, or over those given; 1 if there are no numbers."""
    def ravel(self, order: str = 'C') -> Tensor:
        """Return all elements along one axis, row by row, or column by column for "F"."""
    @property
    def real(self) -> Tensor:
        """Return the real part, as a copy; a real tensor unchanged."""
    def reciprocal(self) -> Tensor:
        """Return 1/x."""
    def register_hook(self, hook: Callable[[Any], Any]) -> Handle:
        """Call ``hook(gradient)`` with the complete gradient, before it is used."""
    def relu(self) -> Tensor:
        """Return the larger of x and 0. The slope at 0 is 0."""
    def repeat(self, repeats: Any, axis: int | None = None) -> Tensor:
        """Return each element, or each slice along an axis, several times."""
    @property
    def requires_grad(self) -> bool:
        """Whether the tensor is a leaf that collects gradients, or was made from one."""
    @requires_grad.setter
    def requires_grad(self, value: Any) -> None: ...
    def requires_grad_(self, wanted: bool = True) -> Tensor:
        """Make this tensor a leaf that collects gradients, or a constant again."""
    def reshape(self, *shape: Any, order: str = 'C') -> Tensor:
        """Return x in another shape, given as numbers or as a tuple."""
    def retain_grad(self) -> None:
        """Make `backward` add to `grad` here too, as in a leaf, after all hooks."""
    def round(self, decimals: Any = 0) -> Any:
        """Return what numpy.round returns for the arrays."""
    def searchsorted(self, v: Any, side: Any = 'left', sorter: Any = None) -> Any:
        """Return what numpy.searchsorted returns for the arrays."""
    def sigmoid(self) -> Tensor:
        """Return 1/(1 + e⁻ˣ)."""
    def sin(self) -> Tensor:
        """Return the sine of angles in radians."""
    def sinh(self) -> Tensor:
        """Return (eˣ - e⁻ˣ)/2."""
    def softmax(self, axis: int | tuple[int, ...] | None = -1) -> Tensor:
        """Return eˣ over the sum of eˣ along an axis: positive numbers whose sum is 1."""
    def softplus(self) -> Tensor:
        """Return log(1 + eˣ)."""
    def sqrt(self) -> Tensor:
        """Return the square root. Its slope at 0 is infinite."""
    def square(self) -> Tensor:
        """Return x²."""
    def squeeze(self, axis: int | tuple[int, ...] | None = None) -> Tensor:
        """Return x without axes of length 1: all of them, or those given."""
    def std(self, axis: int | tuple[int, ...] | None = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: bool = False, *, where: Any = True, mean: Any = None, correction: float | None = None) -> Tensor:
        """Return the square root of `var`, over n; over n - 1, as in PyTorch, with ddof=1."""
    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, by axis."""
    def sum(self, axis: int | tuple[int, ...] | None = None, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
        """Return the sum over all axes, or over those given."""
    def swapaxes(self, axis1: int, axis2: int) -> Tensor:
        """Return x with two axes exchanged."""
    def take(self, indices: Any, axis: int | None = None, out: Any = None, mode: str = 'raise') -> Tensor:
        """Return the slices along an axis, or the elements of x in one row, at indices."""
    def tan(self) -> Tensor:
        """Return the tangent of angles in radians."""
    def tanh(self) -> Tensor:
        """Return sinh x/cosh x, which is between -1 and 1."""
    def tolist(self) -> Any:
        """Return the elements as Python numbers, in nested lists."""
    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
        """Return the sum of a diagonal of two axes."""
    def transpose(self, *axes: Any) -> Tensor:
        """Return x with the axes in another order, given as numbers or as a tuple."""
    def var(self, axis: int | tuple[int, ...] | None = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: bool = False, *, where: Any = True, mean: Any = None, correction: float | None = None) -> Tensor:
        """Return the mean squared distance from the mean, over n; over n - 1 with ddof=1."""
    def zero_grad(self) -> None:
        """Forget the gradient, as ``t.grad = None`` does."""
