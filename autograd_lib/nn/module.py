"""Modules: parameters are found in attributes, and named by path (chapter 16).

A module keeps its tensors and other modules in attributes, or in lists, tuples and
dictionaries there. Everything that visits a model (its parameters, its state, its repr)
uses `walk`, which visits each object once, so a tensor that two layers share is one
parameter. The names are PyTorch's.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from autograd_lib.engine.leaves.leaf import is_parameter
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Checked
from autograd_lib.nn.mistakes import FLOAT64, note_place, warn_of_lost, warn_of_result
from autograd_lib.nn.state import fitting
from autograd_lib.spelling import explain_absent, explain_making, no_keyword

Self = TypeVar("Self", bound="Module")
returned_float64: WeakValueDictionary[int, Module] = WeakValueDictionary()
"""Modules that have returned float64 before, by id: already checked."""


class Module(Checked):
    """A model, or a part of one: tensors, other modules, and a `forward`.

    A leaf that requires a gradient is a parameter, and stays one while `requires_grad_`
    has frozen it. Any other leaf is a buffer: it is saved with the model, but
    optimisers don't change it. The result of an operation is neither, nor are arrays
    or other objects.

    Attributes:
        training: whether it is in training mode, for dropout and batch normalization.

    >>> class Line(Module):
    ...     def __init__(self):
    ...         self.slope = Tensor(2.0, requires_grad=True)
    ...     def forward(self, x):
    ...         return self.slope * x
    >>> line = Line()
    >>> line(3.0).item()
    6.0
    >>> [name for name, _ in line.named_parameters()]
    ['slope']
    """

    training: bool = True

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        explain_making(cls)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if options:
            raise no_keyword(type(self).__name__, options)
        if arguments:
            raise TypeError(
                f"{type(self).__name__}: takes no arguments, got {arguments!r:.60}"
            )

    def forward(self, *inputs: Any, **options: Any) -> Any:
        """Return the output for an input; each subclass defines its own.

        Raises:
            NotImplementedError: if a subclass does not define it.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no forward; write def forward(self, x), which "
            "is what model(x) calls"
        )

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        """Return `forward` of the input; an error in it gets a note that says where.

        Warns, once per line, if float32 parameters gave a float64 result.
        """
        try:
            y = self.forward(*inputs, **options)
        except Exception as error:
            note_place(error, self, head)
            raise
        if type(y) is Tensor and y._array.dtype is FLOAT64:
            warn_of_wider(self, y, inputs)
        return y

    def named_parameters(self) -> Iterator[tuple[str, Tensor]]:
        """Iterate over the parameters with names such as ``layers.0.weight``.

        One that `requires_grad_` has frozen stays a parameter.

        Warns of an attribute that was computed from a leaf outside the module, such as
        ``tensor(numbers, requires_grad=True) * 0.02``: that isn't a parameter.
        """
        found = list(named_tensors(self))
        own = [t.node or getattr(t, "_frozen", None) for _, t in found]
        warn_of_lost(self, walk(self, "", set(), made=True), set(own))
        for name, tensor in found:
            if is_parameter(tensor):
                yield name, tensor

    def parameters(self) -> Iterator[Tensor]:
        """Iterate over the parameters, each once, in the order of their attributes."""
        for _, parameter in self.named_parameters():
            yield parameter

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        """Iterate over the tensors that are saved but not trained, with names."""
        for name, tensor in named_tensors(self):
            if not is_parameter(tensor):
                yield name, tensor

    def buffers(self) -> Iterator[Tensor]:
        """Iterate over the tensors that are saved but not trained."""
        for _, buffer in self.named_buffers():
            yield buffer

    def named_modules(self) -> Iterator[tuple[str, Module]]:
        """Iterate over this module, named "", and all modules in it."""
        for name, found in walk(self, "", set()):
            if isinstance(found, Module):
                yield name, found

    def modules(self) -> Iterator[Module]:
        """Iterate over this module and all modules in it."""
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Iterate over the modules directly in this one, with names."""
        last = None
        for name, module in self.named_modules():
            if name and not (last and name.startswith(f"{last}.")):
                last = name
                yield name, module

    def children(self) -> Iterator[Module]:
        """Iterate over the modules directly in this one."""
        for _, module in self.named_children():
            yield module

    def apply(self: Self, function: Callable[[Module], Any]) -> Self:
        """Call a function with each module, the inner ones first; return this one."""
        for child in self.children():
            child.apply(function)
        function(self)
        return self

    def register_buffer(self, name: str, tensor: Any) -> None:
        """Keep a constant in an attribute: it is saved, but not trained.

        Args:
            name: the attribute's name.
            tensor: a constant tensor, or numbers, which are copied; None for nothing.

        Raises:
            ValueError: if it requires a gradient.
        """
        kept = tensor if tensor is None or type(tensor) is Tensor else Tensor(tensor)
        if kept is not None and kept.requires_grad:
            raise ValueError(
                f"register_buffer: {name}, of shape {kept.shape}, requires a gradient; "
                "a buffer is a constant, such as tensor.detach()"
            )
        if kept is not None and is_parameter(kept):
            kept = kept.detach()  # of a frozen parameter, whose numbers it shares
        setattr(self, name, kept)

    def train(self: Self, mode: bool = True) -> Self:
        """Switch training mode on or off in all modules; return this one.

        Raises:
            TypeError: if `mode` is neither True nor False.
        """
        if not isinstance(mode, bool):
            raise TypeError(f"train: mode is True or False, got {mode!r:.60}")
        for module in self.modules():
            module.training = mode
        return self

    def eval(self: Self) -> Self:
        """Switch training mode off in all modules; return this one."""
        return self.train(False)

    def zero_grad(self, **unknown: Any) -> None:
        """Forget the gradient of each parameter."""
        if unknown:
            raise no_keyword(f"{type(self).__name__}.zero_grad", unknown)
        for parameter in self.parameters():
            parameter.grad = None

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return copies of all parameters and buffers, as arrays by name.

        Raises:
            ValueError: if two have the same name.
        """
        state: dict[str, np.ndarray] = {}
        for name, tensor in named_tensors(self):
            if name in state:
                raise ValueError(
                    f"state_dict: {type(self).__name__} has two tensors called {name}; "
                    "the keys of its dictionaries must differ as text, without dots"
                )
            state[name] = tensor.data.copy()
        return state

    def load_state_dict(self, state: Mapping[str, np.ndarray], **unknown: Any) -> None:
        """Copy the arrays of `state` into the parameters and buffers of these names.

        Args:
            state: the `state_dict` of this model or of one with the same structure.

        Raises:
            TypeError: if it isn't a mapping of names to numbers.
            ValueError: if a name is missing or unexpected, or a shape or a type
                differs. The message lists all of these, and nothing is written.
        """
        if unknown:
            raise no_keyword("load_state_dict", unknown)
        own = dict(named_tensors(self))
        arrays = fitting(
            f"load_state_dict of {head(self)}",
            {name: tensor.data for name, tensor in own.items()},
            state,
            "build the model as it was when its state was saved",
        )
        for name, tensor in own.items():
            tensor.data = arrays[name].copy()

    def with_others(self: Self, old: Sequence[Any], new: Sequence[Any]) -> Self:
        """Return a copy in which some objects, such as parameters, are replaced.

        The copy shares everything else with this module: buffers, random generators.
        """
        places = zip(old, new, strict=True)
        copied: Self = replaced(self, {id(a): b for a, b in places})
        return copied

    def named_attributes(self) -> Iterator[tuple[str, Any]]:
        """Iterate over the names and values of all attributes."""
        yield from vars(self).items()

    def extra_repr(self) -> str:
        """Return the text in brackets after the class's name in the repr."""
        return ""

    def __repr__(self) -> str:
        (_, *first), *rest = described(self)
        total = sum(p.size for p in self.parameters())
        top = f"{first[0]}: {total:,} parameters" if total else first[0]
        top += f", {first[1]}" if first[1] else ""
        widths = [max(map(len, column)) for column in zip(*rest, strict=True)]
        lines = [top]
        for *texts, count in rest:
            cells = [text.ljust(n) for text, n in zip(texts, widths, strict=False)]
            lines.append("  ".join(["", *cells, count.rjust(widths[-1])]).rstrip())
        return "\n".join(lines)


def walk(
    value: Any, name: str, seen: set[int], made: bool = False
) -> Iterator[tuple[str, Tensor | Module]]:
    """Iterate over the modules and tensors in a value, each once, with their names.

    Args:
        value: a module, a tensor, a list, a tuple or a dictionary; any other value
            contains nothing.
        name: the name of the value; names inside are appended after a dot.
        seen: the ids of the objects visited so far.
        made: whether to include results of operations.
    """
    if id(value) in seen or not isinstance(
        value, Tensor | Module | list | tuple | dict
    ):
        return
    seen.add(id(value))
    if isinstance(value, Tensor):
        if value.is_leaf or made:  # results of operations aren't part of a model
            yield name, value
        return
    if isinstance(value, Module):
        yield name, value
    for key, item in named_items(value):
        yield from walk(item, f"{name}.{key}" if name else key, seen, made)


def named_items(value: Any) -> Iterator[tuple[str, Any]]:
    """Iterate over the attributes of a module, or the items of a container."""
    if isinstance(value, Module):
        yield from value.named_attributes()
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key), item
    elif isinstance(value, list | tuple):
        for i, item in enumerate(value):
            yield str(i), item


def named_tensors(module: Module) -> Iterator[tuple[str, Tensor]]:
    """Iterate over the parameters and buffers of a module, with their names."""
    for name, found in walk(module, "", set()):
        if isinstance(found, Tensor):
            yield name, found


def warn_of_wider(module: Module, y: Tensor, inputs: tuple[Any, ...]) -> None:
    """Warn if a module with float32 parameters returned float64 for the first time.

    The innermost module warns first; those around it on the same line stay silent.
    """
    if returned_float64.get(id(module)) is module:
        return
    returned_float64[id(module)] = module
    first = next((t for _, t in named_tensors(module) if t.requires_grad), None)
    if first is None or first.dtype != np.float32:
        return
    warn_of_result(head(module), y, inputs, Module.__call__.__code__)


def replaced(value: Any, made: dict[int, Any]) -> Any:
    """Return a module or a container with some objects replaced.

    Args:
        value: any object.
        made: the replacements, by the id of the old object; copied modules are added.
    """
    if id(value) in made:
        return made[id(value)]
    if isinstance(value, Module):
        new = made[id(value)] = copy.copy(value)
        vars(new).update({k: replaced(v, made) for k, v in vars(value).items()})
        return new
    if not isinstance(value, list | tuple | dict):
        return value
    items = [replaced(part, made) for _, part in named_items(value)]
    if all(a is b for a, (_, b) in zip(items, named_items(value), strict=True)):
        return value
    if isinstance(value, dict):
        again = copy.copy(value)
        again.update(zip(value, items, strict=True))
        return again
    return type(value)._make(items) if hasattr(value, "_make") else type(value)(items)


def head(module: Module) -> str:
    """Return a short description of a module, such as ``Linear(64, 10)``."""
    return f"{type(module).__name__}({module.extra_repr()})"


def described(module: Module) -> list[tuple[str, str, str, str]]:
    """Return a row for each module: name, class, shapes, number of parameters."""
    own: dict[str, list[tuple[str, Tensor]]] = {}
    heads: dict[str, str] = {}
    for name, found in walk(module, "", set()):
        if isinstance(found, Module):
            own[name], heads[name] = [], head(found)
        else:  # listed with the innermost module that contains it
            place = max((m for m in own if name.startswith(m and m + ".")), key=len)
            own[place].append((name[len(place) :].lstrip("."), found))
    rows = []
    for name, tensors in own.items():
        count = sum(t.size for _, t in tensors if is_parameter(t))
        shapes = ", ".join(f"{n} {t.shape}" for n, t in tensors)
        rows.append((name, heads[name], shapes, f"{count:,}" if count else ""))
    return rows


explain_absent(Module, "a module")
