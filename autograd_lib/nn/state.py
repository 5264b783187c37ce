"""What a model has learned, as arrays by name: checked, saved and loaded (chapter 18).

A file is NumPy's ``.npz``: a zip of arrays, which holds numbers and no code. Reading a
pickle runs what whoever wrote it wants to run; so nothing here reads or writes one.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

State = dict[str, np.ndarray]
Shape = tuple[tuple[int, ...], np.dtype[Any]]


def fitting(who: str, own: Mapping[str, np.ndarray], state: Any, way_out: str) -> State:
    """Return a state as arrays, if it has the names, shapes and types that are needed.

    Args:
        who: who needs it, for the message.
        own: arrays of the names, shapes and types that are needed.
        state: what was given.
        way_out: what the message ends with.

    Raises:
        TypeError: if it is no mapping of names to numbers.
        ValueError: if a name is missing or unexpected, or a shape or a type of numbers
            is another. It lists all of these.
    """
    arrays = as_arrays(who, state)
    missing = [name for name in own if name not in arrays]
    unexpected = [name for name in arrays if name not in own]
    wrong = [f"missing {', '.join(missing)}"] if missing else []
    wrong += [f"unexpected {', '.join(unexpected)}"] if unexpected else []
    for name, mine in own.items():
        a = arrays.get(name, mine)
        if (a.shape, a.dtype) != (mine.shape, mine.dtype):
            wrong.append(
                f"{name} is of shape {mine.shape} and {mine.dtype}, got {a.shape} and "
                f"{a.dtype}"
            )
    if wrong:
        raise ValueError(
            f"{who}: the state does not fit: {'; '.join(wrong)}. Nothing was changed; "
            f"{way_out}"
        )
    return arrays


def as_arrays(who: str, state: Any) -> State:
    """Return a state as arrays.

    Raises:
        TypeError: if it is no mapping of names to numbers.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"{who}: needs what state_dict() returns, got {state!r:.60}")
    arrays = {}
    for name, value in state.items():
        a = np.asarray(getattr(value, "_array", value))
        if not isinstance(name, str) or a.dtype.kind not in "fiubc":
            raise TypeError(
                f"{who}: a state is arrays of numbers by name, got {value!r:.60} for "
                f"{name!r}"
            )
        arrays[name] = a
    return arrays


def save(state: Any, path: str | os.PathLike[str]) -> None:
    """Write a state to a file.

    It is written beside the file first and then put in its place, so an interruption
    leaves what was there before.

    Args:
        state: what `state_dict` returned, or what has one: a module, an optimiser.
        path: the name of the file, by custom with ``.npz``.

    Raises:
        TypeError: if `state` is no mapping of names to numbers.
        OSError: if the file cannot be written.
    """
    has_state = hasattr(state, "state_dict")
    arrays = as_arrays("save", state.state_dict() if has_state else state)
    path = Path(path).resolve()
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(part, "w") as archive:
            for name, array in arrays.items():
                entry = zipfile.ZipInfo(
                    f"{name}.npy"
                )  # dated 1980: same state, same file
                with archive.open(entry, "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, array, allow_pickle=False)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def load(path: str | os.PathLike[str]) -> State:
    """Return the state that `save` wrote: arrays by name.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if it is none that `save` wrote, or part of one.
    """
    with open(path, "rb") as file:
        try:
            with np.load(file, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except Exception as error:  # each reader has its own for bad bytes
            raise ValueError(
                f"load: {os.fspath(path)} is no whole file of arrays by name, such as "
                f"save() writes ({type(error).__name__}: {error}); it may be cut off "
                "or damaged, or another kind of file. Nothing was changed"
            ) from error
