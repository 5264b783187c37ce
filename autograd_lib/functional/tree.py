"""Trees: tensors in nested lists, dictionaries and the like (chapter 20).

A transform works on a flat list of tensors, but users differentiate with respect to a
dictionary of weights, a list of layers, or a model. So a tree is flattened to its
leaves and its `Structure`, and rebuilt. The names are those of `jax.tree`.

The known containers are lists, tuples, named tuples, dictionaries (in their own order),
dataclasses (except fields with ``metadata={"static": True}``) and models, whose leaves
are their parameters. None is a tree without leaves. `register` adds others. Any other
object is a leaf. A model is an object whose class has the two methods that `is_model`
checks, as modules do (chapter 16), so nothing here imports modules.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional.scope import parameter

Build: TypeAlias = Callable[[list[Any]], Any]

REGISTERED: dict[type, tuple[Callable[..., Any], Callable[..., Any]]] = {}


@dataclasses.dataclass(frozen=True)
class Structure:
    """The structure of a tree, without its leaves.

    Two are equal if their trees have the same kinds of containers with the same keys.

    Attributes:
        kind: the type of the container; None for a leaf.
        keys: the key of each part, as written in code: ``['w']``, ``[0]``, ``.w``.
        parts: the structure of each part.
        build: builds the container from its parts.
        gradient: builds the container of derivatives; differs from `build` only for
            modules.
    """

    kind: type | None
    keys: tuple[str, ...] = ()
    parts: tuple[Structure, ...] = ()
    build: Build = dataclasses.field(default=list, compare=False, repr=False)
    gradient: Build = dataclasses.field(default=list, compare=False, repr=False)

    @property
    def paths(self) -> list[str]:
        """The path to each leaf, such as ``['layers'][0].w``."""
        if self.kind is None:
            return [""]
        pairs = zip(self.keys, self.parts, strict=True)
        return [key + path for key, part in pairs for path in part.paths]

    def unflatten(self, leaves: Iterable[Any], gradient: bool = False) -> Any:
        """Return the tree with these leaves.

        Args:
            leaves: all leaves, in the order of `flatten`.
            gradient: whether they are derivatives with respect to the leaves; those of
                a module become a dictionary by the parameters' names.
        """
        return self._filled(iter(leaves), gradient)

    def _filled(self, leaves: Any, gradient: bool) -> Any:
        if self.kind is None:
            return next(leaves)
        made = [part._filled(leaves, gradient) for part in self.parts]
        return self.gradient(made) if gradient else self.build(made)

    def leaves_of(self, tree: Any, path: str = "") -> list[Any]:
        """Return the leaves of another tree of this structure, in this one's order.

        Dictionaries may have another order. Where this structure has a leaf, anything
        in the other tree counts as one.

        Raises:
            ValueError: if the other tree has another structure; it names the place.
        """
        if self.kind is None:
            return [tree]
        opened = taken_apart(tree)
        found = dict(opened.items) if opened else {}
        alike = opened and (opened.kind is self.kind or is_model(self.kind))
        if not alike or set(found) != set(self.keys):
            raise ValueError(
                f"{path or 'the tree'} should be a {self.kind.__name__} "
                f"with {', '.join(self.keys) or 'nothing in it'}, got "
                + (described(opened) if opened else f"{tree!r:.60}")
            )
        leaves: list[Any] = []
        for key, part in zip(self.keys, self.parts, strict=True):
            leaves += part.leaves_of(found[key], path + key)
        return leaves


@dataclasses.dataclass
class Opened:
    """A container's type, its parts by key, and functions that rebuild it."""

    kind: type
    items: list[tuple[str, Any]]
    build: Build
    gradient: Build | None = None


LEAF = Structure(None)


def register(
    kind: type,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
) -> None:
    """Register a class of containers, and its subclasses.

    Args:
        kind: the class.
        flatten: returns the parts of a container, and other data needed to rebuild it.
        unflatten: rebuilds it from these data and new parts. The parts may be any
            objects: do not convert or check them.

    Raises:
        TypeError: if `kind` isn't a class.
        ValueError: if it is registered already.

    >>> class Pair:
    ...     def __init__(self, a, b):
    ...         self.a, self.b = a, b
    >>> register(Pair, lambda p: ((p.a, p.b), None), lambda _, ab: Pair(*ab))
    >>> map(lambda x: 2 * x, Pair(1.0, 2.0)).b
    4.0
    """
    if not isinstance(kind, type):
        raise TypeError(f"register: needs a class, got {kind!r:.60}")
    if kind in REGISTERED or kind in (list, tuple, dict, Tensor):
        raise ValueError(f"register: {kind.__name__} is known already")
    REGISTERED[kind] = (flatten, unflatten)


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """Return the leaves of a tree, from left to right, and its structure."""
    opened = taken_apart(tree)
    if opened is None:
        return [tree], LEAF
    found = [flatten(item) for _, item in opened.items]
    structure = Structure(
        opened.kind,
        tuple(key for key, _ in opened.items),
        tuple(part for _, part in found),
        opened.build,
        opened.gradient or opened.build,
    )
    return [leaf for some, _ in found for leaf in some], structure


def leaves(tree: Any) -> list[Any]:
    """Return the leaves of a tree, from left to right."""
    return flatten(tree)[0]


def map(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """Return the tree with each leaf replaced by ``function(leaf, …)``.

    For a module it returns a copy with other parameters, and leaves the module as it
    was: ``map(lambda p, q: q, model, numbers)(x)`` is PyTorch's `functional_call`.

    Args:
        function: gets a leaf of the tree, and the others' parts in its place.
        tree: decides the structure.
        others: trees of the same structure; the gradient of a module, a dictionary,
            counts as the same structure as the module.

    Raises:
        ValueError: if another tree has another structure.

    >>> map(lambda w, g: w - 0.5 * g, {"w": 1.0, "b": [2.0]}, {"b": [2.0], "w": 4.0})
    {'w': -1.0, 'b': [1.0]}
    """
    first, structure = flatten(tree)
    rest = [structure.leaves_of(other) for other in others]
    return structure.unflatten(
        [function(*row) for row in zip(first, *rest, strict=True)]
    )


def taken_apart(tree: Any) -> Opened | None:
    """Return a container as `Opened`, or None for a leaf."""
    kind = type(tree)
    for base in kind.__mro__:
        if base in REGISTERED:
            return opened_by(*REGISTERED[base], tree)
    if tree is None:
        return Opened(kind, [], lambda _: None)
    if is_model(kind):
        return opened_model(tree)
    if isinstance(tree, dict):
        items = [(f"[{key!r}]", item) for key, item in tree.items()]
        return Opened(kind, items, lambda new: like(tree, new))
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        fields = [f".{name}" for name in tree._fields]
        return Opened(kind, list(zip(fields, tree, strict=True)), kind._make)
    if isinstance(tree, list | tuple):
        own = hasattr(tree, "__dict__")
        return Opened(kind, numbered(tree), partial(filled, tree) if own else kind)
    if dataclasses.is_dataclass(kind):
        return opened_dataclass(tree)
    return None


def opened_by(
    flatten: Callable[..., Any], unflatten: Callable[..., Any], tree: Any
) -> Opened:
    """Open a container of a registered class."""
    parts, rest = flatten(tree)
    return Opened(type(tree), numbered(parts), lambda new: unflatten(rest, new))


def numbered(parts: Iterable[Any]) -> list[tuple[str, Any]]:
    """Return parts with their indices as keys."""
    return [(f"[{i}]", part) for i, part in enumerate(parts)]


def filled(tree: Any, new: list[Any]) -> Any:
    """Return a list or tuple of the same class and attributes, with new items."""
    made = type(tree)(new)
    vars(made).update(vars(tree))
    return made


def like(tree: dict[Any, Any], new: list[Any]) -> dict[Any, Any]:
    """Return a dictionary of the same class, keys and order, with new values."""
    made = copy.copy(tree)
    made.update(zip(tree, new, strict=True))
    return made


def opened_dataclass(tree: Any) -> Opened:
    """Open a dataclass by its fields, except static ones."""
    fields = dataclasses.fields(tree)
    names = [f.name for f in fields if not f.metadata.get("static", False)]

    def build(new: list[Any]) -> Any:
        made = copy.copy(tree)
        for name, value in zip(names, new, strict=True):
            object.__setattr__(made, name, value)  # it may be frozen
        return made

    return Opened(type(tree), [(f".{n}", getattr(tree, n)) for n in names], build)


def is_model(kind: type) -> bool:
    """Return whether a class has parameters, and makes copies with other ones."""
    return hasattr(kind, "named_parameters") and hasattr(kind, "with_others")


def opened_model(model: Any) -> Opened:
    """Open a model by its parameters, each once, except those that are frozen.

    It is rebuilt as a copy that has other parameters and shares everything else with
    the model: buffers, random generators. Its gradient is a dictionary.
    """
    named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    names = {f"[{name!r}]": name for name, _ in named}
    old = [p for _, p in named]

    def build(new: list[Any]) -> Any:
        made = [parameter(t) if isinstance(t, Tensor) else t for t in new]
        return model.with_others(old, made)

    return Opened(
        type(model),
        list(zip(names, old, strict=True)),
        build,
        lambda new: dict(zip(names.values(), new, strict=True)),
    )


def described(opened: Opened) -> str:
    """Return a short description of a container, for messages."""
    keys = ", ".join(key for key, _ in opened.items)
    return f"a {opened.kind.__name__} with {keys or 'nothing in it'}"
