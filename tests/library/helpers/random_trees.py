"""Random trees of arguments, changed at random, and all that a function sees of one."""

from __future__ import annotations

import copy
import dataclasses
from collections import OrderedDict, namedtuple
from random import Random
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree

Two = namedtuple("Two", "u v")


@dataclasses.dataclass
class Pair:
    """Two parts and an option."""

    a: Any
    b: Any
    tag: Any = dataclasses.field(default=1, metadata={"static": True})


class Listed(list[Any]):
    """A list with an attribute."""

    tag = 0


class Named(dict[Any, Any]):
    """A dictionary with an attribute."""

    tag = 0


class Held:
    """A registered container, with something beside its part."""

    def __init__(self, part: Any, tag: Any) -> None:
        self.part, self.tag = part, tag


tree.register(Held, lambda x: ((x.part,), x.tag), lambda tag, x: Held(x[0], tag))


class Other:
    """What is known by its identity only."""


OTHERS = [Other(), Other()]
CONSTANTS = (1, 2, True, 1.0, 0.0, -0.0, np.nan, 0.5, 1.5, 2j, None, ..., "a", b"a")


def leaf(r: Random, known: list[Any]) -> Any:
    """Return an array, a tensor, a number or something else; at times a known one."""
    if known and r.random() < 0.2:
        return r.choice(known)
    rng = np.random.default_rng(r.randrange(10**6))
    a = rng.normal(size=r.choice([(2,), (3,), (2, 2), ()]))
    made = (
        *(a, a, Tensor(a), Tensor(a, requires_grad=True), rng.integers(0, 5, 3)),
        *(
            np.asfortranarray(rng.normal(size=(2, 2))),
            np.arange(4.0)[:: r.choice([1, -1])],
        ),
        *(np.arange(3.0).astype(">f8"), np.float64(r.random()), np.float32(r.random())),
        *(np.str_(r.choice("ab")), r.choice(CONSTANTS), r.choice(CONSTANTS)),
        r.choice(OTHERS),
    )
    known.append(r.choice(made))
    return known[-1]


def random_tree(r: Random, known: list[Any], depth: int = 0) -> Any:
    """Return a tree of containers of all kinds."""
    if depth == 3 or r.random() < 0.3:
        return leaf(r, known)
    some = [random_tree(r, known, depth + 1) for _ in range(r.randrange(4))]
    a, b = (random_tree(r, known, depth + 1) for _ in "ab")
    keys = r.sample(["a", "b", 1, True, (1, 2)], len(some))
    listed, named = Listed(some), Named(zip(keys, some, strict=True))
    listed.tag = named.tag = r.choice([0, 1])
    ordered = OrderedDict(zip(r.sample("xyz", len(some)), some, strict=True))
    made = (
        *(some, some, tuple(some), dict(named), listed, named, ordered, Two(a, b)),
        *(Pair(a, b, r.choice([1, 2, "x"])), Held(a, r.choice([1, 2.0, "y"]))),
    )
    return r.choice(made)


def items(x: Any) -> list[tuple[Any, Any]] | None:
    """Return the parts of a container by key, None for a leaf."""
    if isinstance(x, Pair | Held):
        return [(key, part) for key, part in vars(x).items() if key != "tag"]
    if isinstance(x, dict):
        return list(x.items())
    return list(enumerate(x)) if isinstance(x, list | tuple) else None


def with_parts(x: Any, parts: dict[Any, Any]) -> Any:
    """Return a container with other parts."""
    if isinstance(x, tuple):
        several = [parts[i] for i in range(len(x))]
        return Two(*several) if isinstance(x, Two) else tuple(several)
    made = copy.copy(x)
    for key, part in parts.items():
        if isinstance(x, Pair | Held):
            setattr(made, key, part)
        else:
            made[key] = part
    return made


def changed(r: Random, x: Any) -> Any:
    """Return a tree of which one thing is another."""
    parts = dict(items(x) or ())
    if not parts or r.random() < 0.3:
        return random_tree(r, [])
    key = r.choice(list(parts))
    parts[key] = r.choice([changed(r, parts[key]), r.choice(list(parts.values()))])
    return with_parts(x, parts)


def anew(x: Any, known: dict[int, Any]) -> Any:
    """Return a tree with other numbers; what was one object is one again."""
    if id(x) not in known:
        parts = items(x)
        made = x
        if parts is not None:
            made = with_parts(x, {key: anew(part, known) for key, part in parts})
        elif isinstance(x, Tensor):
            made = Tensor(x.data + 1, requires_grad=x.requires_grad)
        elif isinstance(x, np.ndarray):
            made = (x + 1).astype(x.dtype, order="K")
        elif isinstance(x, np.float32 | np.float64):
            made = type(x)(x + 1)
        known[id(x)] = made
    return known[id(x)]


class Seen:
    """What a function can see of a tree without asking arrays for their numbers.

    Of what it finds by itself, numbers do not count, but which lists are one does.

    Attributes:
        words: all of that.
        numbers: the arrays, tensors and numbers.
    """

    def __init__(self, x: Any, found: bool) -> None:
        self.found = found
        self.words: list[Any] = []
        self.numbers: list[Any] = []
        self.ids: dict[int, int] = {}
        self.look(x)

    def one(self, x: Any) -> int:
        """Return the number of an object, which is the same for the same one."""
        return self.ids.setdefault(id(x), len(self.ids))

    def look(self, x: Any) -> None:
        """Look at a tree."""
        parts, kind, number = items(x), x.__class__, isinstance(x, np.generic)
        if parts is not None:
            if self.found and isinstance(x, list | dict):
                self.words.append(self.one(x))
            keys = [(type(key), key) for key, _ in parts]
            self.words.append((kind, keys, getattr(x, "tag", None)))
            for _, part in parts:
                self.look(part)
        elif isinstance(x, np.ndarray | Tensor) or (number and kind is not np.str_):
            one = None if number and self.found else self.one(x)
            grad = isinstance(x, Tensor) and x.requires_grad
            self.words.append((kind, x.shape, str(x.dtype), one, grad))
            self.numbers.append(x)
        elif self.found and kind in (int, float):
            self.words.append(kind)
            self.numbers.append(x)
        elif kind is np.str_ and not self.found:  # an array without axes
            self.words.append((kind, x.dtype.str))
        else:
            self.words.append((kind, OTHERS.index(x) if kind is Other else repr(x)))
