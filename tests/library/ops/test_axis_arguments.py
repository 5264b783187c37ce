"""An argument that names one axis takes one whole number, in every function.

NumPy decides: where it raises, ours does too, and nothing takes the first of several.
"""

import numpy as np
import pytest

from autograd_lib import Tensor, parallel

X = np.random.default_rng(0).uniform(1, 2, (2, 3, 4))
FFT, LINALG = np.fft, np.linalg
SEVERAL = ((), (0,), (1,), (0, 1), (1, 0), [], [0], [1], [0, 1], (True,))
NO_NUMBER = (True, False, np.True_, 1.0, np.float64(1), "0", slice(0, 1))
ARRAYS = (np.array([1]), np.array([0, 1]), np.array(1.0))

ONE_AXIS = {
    **{
        name: lambda x, axis, name=name: getattr(np, name)(x, axis=axis)
        for name in (
            *("cumsum", "cumprod", "nancumsum", "nancumprod", "sort", "diff"),
            *("rollaxis", "trapezoid"),
        )
    },
    **{
        f"fft.{name}": lambda x, axis, name=name: getattr(FFT, name)(x, axis=axis)
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
    },
    "take": lambda x, axis: np.take(x, [0, 1], axis=axis),
    "repeat": lambda x, axis: np.repeat(x, 2, axis=axis),
    "compress": lambda x, axis: np.compress([True, False], x, axis=axis),
    "delete": lambda x, axis: np.delete(x, 0, axis=axis),
    "insert": lambda x, axis: np.insert(x, 0, 5.0, axis=axis),
    "append": lambda x, axis: np.append(x, x, axis=axis),
    "concatenate": lambda x, axis: np.concatenate([x, x], axis=axis),
    "stack": lambda x, axis: np.stack([x, x], axis=axis),
    "split": lambda x, axis: np.split(x, 1, axis=axis),
    "array_split": lambda x, axis: np.array_split(x, 2, axis=axis),
    "partition": lambda x, axis: np.partition(x, 1, axis=axis),
    "vecdot": lambda x, axis: np.vecdot(x, x, axis=axis),
    "linalg.vecdot": lambda x, axis: LINALG.vecdot(x, x, axis=axis),
    "cross": lambda x, axis: np.cross(x, x + 1, axisa=1, axisb=axis),
    "cross, to": lambda x, axis: np.cross(x, x + 1, axisa=1, axisb=1, axisc=axis),
    "take_along_axis": lambda x, axis: np.take_along_axis(
        x, np.zeros((1, 1, 1), int), axis=axis
    ),
    "t.cumsum": lambda x, axis: x.cumsum(axis),
    "t.cumprod": lambda x, axis: x.cumprod(axis),
    "t.take": lambda x, axis: x.take([0, 1], axis),
    "t.repeat": lambda x, axis: x.repeat(2, axis=axis),
}
if hasattr(np, "unstack"):
    ONE_AXIS |= {
        name: lambda x, axis, name=name: getattr(np, name)(x, axis=axis)
        for name in ("unstack", "cumulative_sum", "cumulative_prod")
    }
SEVERAL_AXES = {
    "norm": lambda x, axis: LINALG.norm(x, axis=axis),
    "norm, 1": lambda x, axis: LINALG.norm(x, 1, axis=axis),
    "norm, nuc": lambda x, axis: LINALG.norm(x, "nuc", axis=axis),
    "vector_norm": lambda x, axis: LINALG.vector_norm(x, axis=axis),
    "median": lambda x, axis: np.median(x, axis=axis),
    "quantile": lambda x, axis: np.quantile(x, 0.3, axis=axis),
    "average": lambda x, axis: np.average(x, axis=axis, weights=np.ones(X.shape)),
    "sum": lambda x, axis: np.sum(x, axis=axis),
    "max": lambda x, axis: np.max(x, axis=axis),
    "var": lambda x, axis: np.var(x, axis=axis),
    "flip": lambda x, axis: np.flip(x, axis=axis),
    "roll": lambda x, axis: np.roll(x, 1, axis=axis),
    "gradient": lambda x, axis: np.gradient(x, axis=axis),
    "fftn": lambda x, axis: FFT.fftn(x, axes=axis),
    "tensordot": lambda x, axis: np.tensordot(x, x, axes=(axis, axis)),
}


def numbers(y):
    """Return results as arrays."""
    if isinstance(y, list | tuple):
        return [numbers(part) for part in y]
    return np.asarray(y.data if isinstance(y, Tensor) else y)


def numpy_result(function, axis):
    """Return NumPy's result, or None if it raises."""
    try:
        return numbers(function(X, axis))
    except (TypeError, ValueError, IndexError):
        return None


@pytest.mark.parametrize("axis", (*SEVERAL, *NO_NUMBER, *ARRAYS), ids=repr)
@pytest.mark.parametrize("name", ONE_AXIS)
def test_a_function_of_one_axis_takes_no_other_argument(name, axis):
    if name == "unstack" and np.size(axis) == 1:
        axis = (axis, axis)  # where NumPy's takes a tuple of one axis
    for wanted in (True, False):
        with pytest.raises((TypeError, ValueError)) as error:
            ONE_AXIS[name](Tensor(X, requires_grad=wanted), axis)
        assert "axis" in str(error.value) or "axes" in str(error.value)


@pytest.mark.parametrize(
    "axis", (*SEVERAL, *NO_NUMBER, None, (0, 0), [0, 0], 3, -4, (0, 3)), ids=repr
)
@pytest.mark.parametrize("name", SEVERAL_AXES)
def test_a_function_of_several_axes_takes_those_that_numpy_takes(name, axis):
    expected = numpy_result(SEVERAL_AXES[name], axis)
    t = Tensor(X, requires_grad=True)
    try:
        got = numbers(SEVERAL_AXES[name](t, axis))
    except (TypeError, ValueError):
        got = None
    usual = axis is None or all(type(a) is int for a in np.ravel(axis).tolist())
    if expected is None:
        assert got is None
    elif got is not None or (usual and type(axis) is not list):
        np.testing.assert_allclose(got, expected)


def test_the_message_says_what_to_do():
    with pytest.raises(
        TypeError, match=r"cumsum: axis is one whole number, .*\(1, 0\)"
    ):
        np.cumsum(Tensor(X), axis=(1, 0))
    with pytest.raises(TypeError, match=r"norm: .* write \(0, 1\)"):
        LINALG.norm(Tensor(X), axis=[0, 1])


def test_collectives_take_one_axis():
    with pytest.raises(TypeError, match="axis"):
        parallel.all_gather(Tensor(X), axis=(0, 1))
