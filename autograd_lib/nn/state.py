"""A model's state, as arrays by name: checked, saved and loaded (chapter 16).

A file is NumPy's ``.npz``: a zip of arrays, which holds numbers and no code. Reading a
pickle can run any code that its author put there; so nothing here reads or writes one.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from stat import S_IMODE
from typing import Any, BinaryIO
from uuid import uuid4

import numpy as np

from autograd_lib.engine.arrays import numpy

State = dict[str, np.ndarray]
NPY = ".npy"
WITHIN = "//"  # between the name of a state and a name in it
END = 22  # bytes of the last record of a zip file, without a comment
MANY = 0xFFFF  # means that another record holds the number of members


def fitting(who: str, own: Mapping[str, np.ndarray], state: Any, way_out: str) -> State:
    """Return a state as arrays, after checking names, shapes and types.

    Args:
        who: the caller's name, for the message.
        own: arrays with the required names, shapes and types.
        state: the state.
        way_out: the end of the message.

    Raises:
        TypeError: if it isn't a mapping of names to numbers.
        ValueError: if a name is missing or unexpected, or a shape or a type differs.
            The message lists all of these.
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
        TypeError: if it isn't a mapping of names to numbers.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"{who}: needs what state_dict() returns, got {state!r:.60}")
    arrays = {}
    for name, value in state.items():
        a = numpy().asarray(getattr(value, "_array", value))
        if not isinstance(name, str) or a.dtype.kind not in "fiubc":
            raise TypeError(
                f"{who}: a state is arrays of numbers by name, got {value!r:.60} for "
                f"{name!r}"
            )
        arrays[name] = a
    return arrays


def save(state: Any, path: str | os.PathLike[str]) -> None:
    """Write a state to a file.

    A temporary file in the same folder is written first and then renamed, so that an
    interruption leaves the old file in place, and of several that are saved at once one
    wins. The file keeps its permissions. A process that is killed meanwhile leaves the
    temporary file, whose name ends with ``.part``.

    Args:
        state: a `state_dict`, or an object that has one: a module, an optimiser. Or
            several of these by name, and single numbers, such as ``{"model": model,
            "optimizer": optimizer, "epoch": 3}``, which `load` returns in this form.
        path: the name of the file, usually ending with ``.npz``.

    Raises:
        TypeError: if `state` isn't a mapping of names to numbers.
        ValueError: if a name can't be used in the file.
        OSError: if the file cannot be written.
    """
    arrays = as_arrays("save", flat(state))
    path = Path(path).resolve()
    part = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        with open(part, "xb") as whole, zipfile.ZipFile(whole, "w") as archive:
            if path.exists():
                part.chmod(S_IMODE(path.stat().st_mode))
            for name, array in arrays.items():
                with archive.open(member(name), "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, array, allow_pickle=False)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def flat(state: Any) -> Any:
    """Return a state, or states by name, as arrays by name.

    Raises:
        ValueError: if a name holds what separates names in the file.
    """
    state = state.state_dict() if hasattr(state, "state_dict") else state
    if not isinstance(state, Mapping):
        return state
    found: dict[Any, Any] = {}
    for name, value in state.items():
        if isinstance(name, str) and WITHIN in name:
            raise ValueError(
                f"save: a file cannot hold an array of the name {name!r:.60}, since "
                f"{WITHIN} stands between the names of states within states"
            )
        if isinstance(value, Mapping) or hasattr(value, "state_dict"):
            inner = flat(value)
            found.update({f"{name}{WITHIN}{key}": a for key, a in inner.items()})
        else:
            found[name] = value
    return found


def nested(arrays: State) -> dict[str, Any]:
    """Return arrays as `flat` was given them: states within states by name."""
    state: dict[str, Any] = {}
    for name, a in arrays.items():
        *outer, last = name.split(WITHIN)
        place = state
        for key in outer:
            place = place.setdefault(key, {})
        place[last] = a
    return state


def member(name: str) -> zipfile.ZipInfo:
    """Return the zip entry for an array, dated 1980: equal states give equal files.

    Raises:
        ValueError: if the name would be changed in the file.
    """
    entry = zipfile.ZipInfo(f"{name}{NPY}")
    if entry.filename != f"{name}{NPY}":  # it ends at a zero byte
        raise ValueError(f"save: a file cannot hold an array of the name {name!r:.60}")
    return entry


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the state that `save` wrote: arrays by name, or states by name.

    A number comes back as an array of shape (): ``int(state["epoch"])``.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if `save` did not write it, or it is incomplete.
    """
    with open(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                entries = archive.infolist()
                check_number(file, len(entries))
                state = {name_of(e): read(archive, e) for e in entries}
        except Exception as error:  # each reader raises its own for bad bytes
            raise ValueError(
                f"load: {os.fspath(path)} is no whole file of arrays by name, such as "
                f"save() writes ({type(error).__name__}: {error}); it may be cut off "
                "or damaged, or another kind of file. Nothing was changed"
            ) from error
    return nested(state)


def name_of(entry: zipfile.ZipInfo) -> str:
    """Return the name of the array in a zip entry."""
    if not entry.filename.endswith(NPY):
        raise ValueError(f"{entry.filename!r:.60} in it is no array")
    return entry.filename.removesuffix(NPY)


def read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    """Return the array in a zip entry.

    It is read to its end, since only then is its checksum compared.
    """
    with archive.open(entry) as file:
        array: np.ndarray = np.lib.format.read_array(file, allow_pickle=False)
        if file.read():
            raise ValueError(f"{entry.filename!r:.60} goes on after its array")
    return array


def check_number(file: BinaryIO, number: int) -> None:
    """Raise ValueError if the file was written with another number of arrays.

    In a damaged directory, one entry may pass for a comment on the one before it; and
    one that its end record says to be empty would make a whole file an empty state.
    """
    before = file.seek(-END, os.SEEK_END)  # what lies before the end record
    end = file.read(END)
    written = int.from_bytes(end[10:12], "little")
    if end[:4] == b"PK\5\6" and written not in (number, MANY):
        raise ValueError(f"{written} arrays were written, and {number} are listed")
    if not number and before:
        raise ValueError(f"no arrays are listed, and there are {before} bytes of them")
