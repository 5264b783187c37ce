"""MIME bundles of objects, as IPython makes them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from IPython.lib.pretty import pretty

METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
}

FORMS: dict[type, Callable[[Any], dict[str, Any]]] = {}
"""How things of a package that knows no notebooks are shown, by their class."""

Bundle = tuple[dict[str, Any], dict[str, Any]]


def bundle_of(thing: Any) -> Bundle:
    """Return an object's data and its metadata, both by MIME type."""
    data: dict[str, Any] = {"text/plain": pretty(thing)}
    metadata: dict[str, Any] = {}
    # A class has the methods of its instances, but cannot call them.
    if isinstance(thing, type):
        return data, metadata
    for family, form in FORMS.items():
        if isinstance(thing, family):
            data.update(form(thing))
    whole = getattr(thing, "_repr_mimebundle_", None)
    if callable(whole):
        found = whole(include=None, exclude=None)
        if isinstance(found, tuple):
            found, more = found
            metadata.update(more)
        data.update(found or {})
    for name, kind in METHODS.items():
        method = getattr(thing, name, None)
        if kind in data or not callable(method):
            continue
        value = method()
        if isinstance(value, tuple):
            value, metadata[kind] = value
        if value is not None:
            data[kind] = value
    return {kind: as_text(value) for kind, value in data.items()}, metadata


def as_text(value: Any) -> Any:
    """Return bytes as base64, as a notebook stores them."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value
