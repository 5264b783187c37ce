"""A table of slopes that is painted, read off and thrown away (chapter 06).

A layer's Jacobian has a row for each output and a column for each input. It is painted
a row of outputs at a time. Then the gradients at its left, times its columns, give
those below it. A rule gives the same without the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_lib.stepper.numbers import literal, short
from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.scene import BLUE, ORANGE, Scene, cell, part, shown, words
from autograd_lib.stepper.steps import Step, joined

WIDE, HIGH, LEFT, TOP = 34, 18, 66, 22  # a cell, and the table's corner, in pixels
MOST = 12


def jacobian_steps(J: Any, Y_bar: Any, X_bar: Any, rule: str) -> Stepper:
    """Show how a table of slopes is painted, read off and thrown away.

    Args:
        J: the table, a row for each output and a column for each input, at most 12 of
            both.
        Y_bar: the gradient with respect to the outputs, a matrix.
        X_bar: the gradient with respect to the inputs, a matrix, as the rule gives it.
        rule: the rule, as it is written, such as ``"Y_bar @ W.T"``.

    Raises:
        ValueError: if the shapes do not fit, or the table is too large.

    >>> W = np.array([[2.0], [3.0]])
    >>> Y_bar = np.array([[1.0]])
    >>> steps = jacobian_steps(W.T, Y_bar, Y_bar @ W.T, "Y_bar @ W.T")
    >>> print(str(steps).splitlines()[-1])
      4. Finished: The table is thrown away. Y_bar @ W.T gives the same without it.
    """
    J, Y_bar, X_bar = (np.asarray(one, float) for one in (J, Y_bar, X_bar))
    if J.shape != (Y_bar.size, X_bar.size) or {Y_bar.ndim, X_bar.ndim} != {2}:
        raise ValueError(
            f"jacobian_steps: a table of shape {J.shape} does not fit gradients of "
            f"shapes {Y_bar.shape} and {X_bar.shape}"
        )
    if max(J.shape) > MOST:
        raise ValueError(f"jacobian_steps: at most {MOST} rows and columns are drawn")
    rows, columns = J.shape
    scene = Scene("A table of slopes", told(J, Y_bar, X_bar, rule))
    alt = (
        f"A table of {rows} rows, one for each output, and {columns} columns, one for "
        f"each input, in which {np.count_nonzero(J)} cells of {J.size} are coloured; "
        "at its left the gradients that arrive, below it those that leave."
    )
    size = LEFT + WIDE * columns + 4, TOP + HIGH * (rows + 2) + 4
    return shown(scene, drawn(J, Y_bar, X_bar), *size, alt)


def told(J: Any, Y_bar: Any, X_bar: Any, rule: str) -> Iterator[Step]:
    """Yield the steps: paint rows of outputs, read rows of inputs, throw away."""
    rows, columns = J.shape
    outputs, inputs = Y_bar.shape[1], X_bar.shape[1]
    yield Step(
        "Start",
        "",
        {},
        f"{rows} outputs, {columns} inputs: a table of {J.size} slopes.",
    )
    for p in range(len(Y_bar)):
        block = range(p * outputs, (p + 1) * outputs)
        lines = {f"r{i}": ("", "", "") for i in block}
        filled = np.count_nonzero(J[list(block)])
        yield Step(
            "Forward",
            "",
            lines,
            f"Row {p} of the outputs: {filled} slopes are not 0, and "
            f"{len(block) * columns - filled} are.",
        )
    kept = J[J != 0]
    yield Step(
        "Forward",
        "",
        {f"y{i}": (short(y), "", "") for i, y in enumerate(Y_bar.ravel())},
        f"{J.size - kept.size} of {J.size} are 0; the others are "
        f"{len(np.unique(kept.round(9)))} different numbers. A gradient arrives.",
    )
    given = Y_bar.ravel() @ J
    for p in range(len(X_bar)):
        block = range(p * inputs, (p + 1) * inputs)
        lines = {f"x{k}": (f"{given[k] + 0.0:.2g}", "", "now") for k in block}
        lines |= {
            f"x{k - inputs}": (f"{given[k - inputs] + 0.0:.2g}", "", "")
            for k in block
            if p
        }
        has = joined([short(given[k] + 0.0) for k in block])
        yield Step(
            "Backward",
            "",
            lines,
            f"Gradients times columns, added up: row {p} of the inputs gets {has}.",
        )
    apart = float(np.abs(given - X_bar.ravel()).max())
    same = apart <= 1e-5 * max(1.0, float(np.abs(given).max()))
    ends = (
        "gives the same without it" if same else f"gives others, by up to {apart:.2g}"
    )
    lines = {f"r{i}": ("", "", "gone") for i in range(rows)}
    lines |= {f"x{k}": (f"{given[k] + 0.0:.2g}", "", "back") for k in range(columns)}
    yield Step(
        "Finished", "", lines, literal(f"The table is thrown away. {rule} {ends}.")
    )


def drawn(J: Any, Y_bar: Any, X_bar: Any) -> str:
    """Return the table with the gradients at its left and below it."""
    rows, columns = J.shape
    foot = TOP + HIGH * rows
    parts = [
        words(LEFT - 8, 14, "gradient", "end", ORANGE),
        words(LEFT, 14, f"{rows} × {columns} slopes", "start"),
        cell(LEFT, TOP, WIDE * columns, HIGH * rows),
    ]
    strength = 0.2 + 0.8 * np.abs(J) / (np.abs(J).max() or 1.0)
    for i in range(rows):
        cells = "".join(
            f'<rect x="{LEFT + WIDE * k + 1}" y="{TOP + HIGH * i + 1}" '
            f'width="{WIDE - 2}" height="{HIGH - 2}" '
            f'fill="{ORANGE if J[i, k] > 0 else BLUE}" '
            f'fill-opacity="{strength[i, k]:.2f}"/>'
            for k in np.flatnonzero(J[i])
        )
        dots = "".join(
            f"M{LEFT + WIDE * k + WIDE // 2},{TOP + HIGH * i + HIGH // 2}h1"
            for k in np.flatnonzero(J[i] == 0)
        )
        line = f'<path fill="none" stroke="black" d="{dots}"/>' if dots else ""
        parts.append(part(f"r{i}", cells + line))
        y = TOP + HIGH * i + HIGH - 4
        parts.append(part(f"y{i}", words(LEFT - 8, y, anchor="end", colour=ORANGE)))
    for k in range(columns):
        inside = cell(LEFT + WIDE * k + 1, foot + 6, WIDE - 2, HIGH + 2)
        middle = LEFT + WIDE * k + WIDE / 2
        parts.append(part(f"x{k}", inside + words(middle, foot + 20, colour=ORANGE)))
    return "".join(parts)
