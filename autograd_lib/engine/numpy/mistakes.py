"""Errors about shapes and arguments that do not fit (chapter 10).

NumPy's own errors name neither the operation nor a remedy. These functions return an
error that does, after NumPy has raised one; so they cost nothing in correct calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.exceptions import AxisError

TORCH_WORDS = {"dim": "axis", "keepdim": "keepdims"}


def misfit(name: str, shape: Any, error: Exception, /, **given: Any) -> Exception:
    """Return NumPy's error with the operation, its arguments and the shape added.

    Args:
        name: the operation.
        shape: the tensor's shape.
        error: NumPy's error.
        given: the arguments that do not fit.
    """
    arguments = ", ".join(f"{key}={value!r:.60}" for key, value in given.items())
    head = f"{name}: {arguments} does not fit a tensor of shape {shape}"
    n = len(shape)
    if isinstance(error, AxisError):
        axes = f"its axes are {-n} to {n - 1}" if n else "it has no axes"
        return AxisError(f"{head}; {axes}, each named once")
    return type(error)(f"{head}: {error}")


def wrong_index(index: Any, shape: Any, error: Exception) -> IndexError:
    """Return the error for an index that does not fit, saying what would."""
    text = str(error)
    arrays = isinstance(index, np.ndarray) and index.ndim
    which = f"an array of shape {index.shape}" if arrays else f"{index!r:.60}"
    ways = {
        "out of bounds": "an axis of length n has the indices -n to n - 1",
        "boolean": "a mask has the shape of the axes that it stands for",
        "too many": "there is at most one index for each axis",
        "shape mismatch": "the arrays of an index are broadcast; np.ix_ crosses them",
    }
    way = next((f"; {ways[word]}" for word in ways if word in text), "")
    return IndexError(
        f"indexing: {which} does not fit a tensor of shape {shape}: {text}{way}"
    )


def wrong_value(name: str, value: Any, shape: Any) -> ValueError:
    """Return the error for a write whose value does not broadcast to its place."""
    return ValueError(
        f"{name}: a value of shape {np.shape(value)} does not fit what is written to, "
        f"of shape {shape}; it must broadcast to that shape"
    )


def unknown_arguments(
    name: str, operation: Callable[..., Any], args: Any, options: Any
) -> TypeError | None:
    """Return the error for a call that doesn't fit an operation, None if it fits."""
    signature = inspect.signature(operation)
    try:
        signature.bind(*args, **options)
    except TypeError as error:
        unknown = [key for key in options if key not in signature.parameters]
        return unknown_keywords(name, operation, unknown, str(error))
    return None


def unknown_keywords(
    name: str, operation: Callable[..., Any], unknown: Any, why: str = ""
) -> TypeError:
    """Return the error for keywords that an operation does not take.

    Args:
        name: the function that the user called.
        operation: the operation, whose signature is shown.
        unknown: the keywords.
        why: what is wrong if no keyword is.
    """
    parameters = inspect.signature(operation).parameters.values()
    taken = [p.replace(annotation=p.empty) for p in parameters]
    taken = [p for p in taken if p.kind is not p.VAR_KEYWORD and p.name != "out"]
    takes = str(inspect.Signature(taken)).replace("<no value>", "...")
    if not unknown:
        return TypeError(f"{name}: {why}; of tensors it takes {takes}")
    key = next(iter(unknown))
    known = TORCH_WORDS.get(key)
    hint = f"; {known}= is its name here" if known else ""
    return TypeError(f"{name}: takes no {key}={hint}; of tensors it takes {takes}")
