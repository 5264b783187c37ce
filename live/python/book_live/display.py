"""`display`, and the objects of `IPython.display` that readers know."""

from __future__ import annotations

import itertools
from typing import Any

from book_live.mime import bundle_of
from book_live.outputs import Outputs

shown: list[Outputs] = []
"""Where to: set by the kernel, empty outside of a page."""
numbers = itertools.count(1)


class Shown:
    """An output on the page that can be replaced.

    Args:
        display_id: its name.
    """

    def __init__(self, display_id: str) -> None:
        self.display_id = display_id

    def display(self, thing: Any) -> None:
        """Show an object under the same name."""
        show(thing, self.display_id, "display_data")

    def update(self, thing: Any) -> None:
        """Replace the object that was shown."""
        show(thing, self.display_id, "update_display_data")


def display(
    *things: Any, display_id: str | bool | None = None, raw: bool = False, **_: Any
) -> Shown | None:
    """Show objects among the cell's outputs.

    Args:
        things: the objects to show, one below the other.
        display_id: a name by which the output can be replaced; True makes up a name.
        raw: whether the objects are MIME bundles already.
    """
    if display_id is True:
        display_id = f"display-{next(numbers)}"
    name = display_id or None
    for thing in things:
        show(thing, name, "display_data", raw)
    return Shown(name) if name else None


def update_display(thing: Any, *, display_id: str, **_: Any) -> None:
    """Replace the output that has this name."""
    show(thing, display_id, "update_display_data")


def clear_output(wait: bool = False) -> None:
    """Remove the outputs of the cell; with `wait`, once the next output comes."""
    for outputs in shown:
        outputs.put({"output_type": "clear_output", "wait": wait})


def show(thing: Any, name: str | None, how: str, raw: bool = False) -> None:
    """Send an object to the page."""
    data, metadata = (thing, {}) if raw else bundle_of(thing)
    output = {"output_type": how, "data": data, "metadata": metadata}
    if name:
        output["transient"] = {"display_id": name}
    for outputs in shown:
        outputs.put(output)


class DisplayObject:
    """Data of one MIME type.

    Args:
        data: text, or bytes for an image.
    """

    kind = "text/plain"

    def __init__(self, data: Any = None, **_: Any) -> None:
        self.data = data

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {self.kind: self.data}


class HTML(DisplayObject):
    """HTML, scripts included."""

    kind = "text/html"


class Markdown(DisplayObject):
    """Markdown, with tables and formulas."""

    kind = "text/markdown"


class Latex(DisplayObject):
    """A formula."""

    kind = "text/latex"


class SVG(DisplayObject):
    """A drawing."""

    kind = "image/svg+xml"


class Image(DisplayObject):
    """A picture, as the bytes of a PNG file."""

    kind = "image/png"


class Code(DisplayObject):
    """Python source."""

    kind = "text/markdown"

    def __init__(self, data: str, **_: Any) -> None:
        super().__init__(f"```python\n{data}\n```")
