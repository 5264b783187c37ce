"""A copy of the engine without `create_graph`, to measure what its support costs.

The lines that are there for recorded passes are cut out: the question whether a pass is
recorded, and the step from what was saved, a tensor that a second pass could follow, to
its array. The copy saves arrays at once. With that it also loses sight of writes into
what was saved, so it shows somewhat more than the cost in question, never less.
"""

from __future__ import annotations

import shutil
from pathlib import Path

LIBRARY = Path(__file__).parent.parent / "autograd_lib"

ASKS_WHAT_WAS_SAVED = """\
            kind = type(s)
            if kind is Tensor:
                d = rule(g, s._data)
            elif kind is Own:
                d = rule(g, s.array)
            elif kind is Saved:
                d = rule(g, arrays_of(s))
            else:
                d = rule(g, s)
"""
ASKS_WHETHER_RECORDED = """\
        if create_graph:
            hand_over_recorded(v, g, edges, stamp, ready)
            continue
"""
SAVES_TENSORS = """\
    if saved is OUT:
        saved = Own(t._data)
    elif type(saved) is Saved:
"""
SAVES_ARRAYS = """\
    if saved is OUT:
        saved = t._data
    elif type(saved) is Tensor:
        saved = saved._data
    elif type(saved) is Saved:
"""
SAVES_OWN = """\
    if saved is OUT:
        return Own(y)
    if type(saved) is Saved:
        for item in saved.items:
            if item is OUT:
                return Saved(*[Own(y) if s is OUT else s for s in saved.items])
    return saved
"""
SAVES_BARE = """\
    if saved is OUT:
        return y
    if type(saved) is Saved:
        return tuple([y if i is OUT else getattr(i, "_data", i) for i in saved.items])
    return getattr(saved, "_data", saved)
"""
OF_TWO = """\
    t.node = node = Node()
    if m is None:
"""
OF_TWO_ARRAYS = """\
    if type(saved) is Tensor:
        saved = saved._data
    elif type(saved) is Saved:
        saved = own(saved, t._data)
    if type(saved_y) is Tensor:
        saved_y = saved_y._data
    elif type(saved_y) is Saved:
        saved_y = own(saved_y, t._data)
    t.node = node = Node()
    if m is None:
"""
CUTS = {
    "_pass.py": (
        (ASKS_WHAT_WAS_SAVED, "            d = rule(g, s)\n"),
        (ASKS_WHETHER_RECORDED, ""),
        ("switch.on = create_graph", "switch.on = False"),
    ),
    "primitive.py": (
        (SAVES_TENSORS, SAVES_ARRAYS),
        (SAVES_OWN, SAVES_BARE),
        (OF_TWO, OF_TWO_ARRAYS),
    ),
    "ops/matmul.py": (
        (
            "left, right = Saved(a.shape, y), Saved(x, b.shape)",
            "left, right = (a.shape, b), (a, b.shape)",
        ),
    ),
}


def copy_without_second(folder: Path) -> Path:
    """Put a copy of the library, with the cuts made, into a folder, and return that.

    Raises:
        RuntimeError: if the engine no longer has the lines that are to be cut.
    """
    shutil.copytree(
        LIBRARY,
        folder / LIBRARY.name,
        ignore=shutil.ignore_patterns("__pycache__"),
        dirs_exist_ok=True,
    )
    for name, cuts in CUTS.items():
        file = folder / LIBRARY.name / name
        text = file.read_text(encoding="utf-8")
        for old, new in cuts:
            if text.count(old) != 1:
                raise RuntimeError(
                    f"without_second: {name} has {text.count(old)} times the lines "
                    f"{old!r}, which should be there once; bring CUTS up to date"
                )
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
    return folder
