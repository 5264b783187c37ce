"""Smaller models than a reader's GPT, and what a model says of a text (chapter 00)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

PARTS = "one head", "four heads", "and a network", "and paths", "and norms"


@contextmanager
def with_parts(engine: Any, number: int) -> Iterator[Callable[[Any], Any]]:
    """Give an engine a `gpt` of the first so many of `PARTS`, inside `with`.

    Args:
        engine: a module with `gpt`, `attention`, `linear`, `layer_norm`, `gelu`
            and `heads`.
        number: 1 to 5; with 5 it is the whole.

    Yields:
        A function that leaves out the weights which these parts do not need.
    """
    network, path, norm = number > 2, number > 3, number > 4
    unused = [] if norm else ["norm"]
    unused += [] if network else [".up.", ".down."]

    def add(x: Any, found: Any) -> Any:
        return x + found if path else found

    def look(model: Any, name: str, x: Any) -> Any:
        return engine.layer_norm(model, name, x) if norm else x

    def stack(model: Any, tokens: Any) -> Any:
        tokens = np.atleast_2d(tokens)
        x = model["token"][tokens] + model["place"][np.arange(tokens.shape[1])]
        for i in sorted({name.split(".")[0] for name in model if ".q." in name}):
            seen = look(model, f"{i}.norm1", x)
            x = add(x, engine.attention(model, i, seen))
            if network:
                up = engine.linear(model, f"{i}.up", look(model, f"{i}.norm2", x))
                x = add(x, engine.linear(model, f"{i}.down", engine.gelu(up)))
        return look(model, "norm", x) @ model["token"].T

    def needed(model: Any) -> Any:
        return {k: p for k, p in model.items() if not any(u in k for u in unused)}

    before = engine.gpt, engine.heads
    engine.gpt, engine.heads = stack, 1 if number == 1 else 4
    try:
        yield needed
    finally:
        engine.gpt, engine.heads = before


def chances_of(
    engine: Any, model: Any, tokens: np.ndarray, number: int, last: int
) -> np.ndarray:
    """Return the probability that a model gave to each of the last tokens of a text.

    Args:
        engine: a module with `gpt` and `softmax`.
        model: its weights.
        tokens: the text.
        number: how many tokens at its end are asked for.
        last: how many at the end of a piece are predicted at once, so that each is
            predicted from at least the places of the model less so many, plus one.
    """
    places = len(model["place"].data)
    ends = np.arange(len(tokens) - number + last, len(tokens) + 1, last)[:, None]
    x = tokens[ends - 1 - places + np.arange(places)]
    y = tokens[ends - last + np.arange(last)]
    with engine.no_grad():
        parts = [
            engine.softmax(engine.gpt(model, x[i : i + 40])).data[:, -last:]
            for i in range(0, len(x), 40)
        ]
    p = np.concatenate(parts).astype(float)
    return np.take_along_axis(p, y[..., None], -1).ravel()
