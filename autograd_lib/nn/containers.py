"""PyTorch's containers of parameters and modules (chapter 16).

A module here can keep a leaf, a list or a dictionary as an attribute. These are for
code that uses PyTorch's names, and for a list of modules that has `parameters()`
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_lib.engine.leaves.leaf import is_parameter
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import floating
from autograd_lib.nn.module import Module, named_items


class AsksForLeaves(type):
    """Makes ``isinstance(t, Parameter)`` true for the leaves of a module."""

    def __instancecheck__(cls, instance: object) -> bool:
        return (
            isinstance(instance, Tensor) and instance.is_leaf and is_parameter(instance)
        )


if TYPE_CHECKING:  # to which a class makes its instances

    def Parameter(
        data: Any, requires_grad: bool = True, *, dtype: Any = None
    ) -> Tensor: ...

else:

    class Parameter(metaclass=AsksForLeaves):
        """Make a leaf with a copy of the data, to be an attribute of a module.

        It is a plain tensor. Every leaf that is trained, or is frozen for now, passes
        for a parameter: ``isinstance(t, Parameter)``.

        Args:
            data: numbers, or a tensor, whose graph is not copied.
            requires_grad: whether it is trained; otherwise it is a frozen parameter.
            dtype: the type; by default that of a tensor, and float32, as in layers, for
                all other data.

        Raises:
            TypeError: if `dtype` is not a floating-point type.

        >>> Parameter(0.02 * np.ones((2, 3))).dtype
        dtype('float32')
        """

        def __new__(
            cls, data: Any, requires_grad: bool = True, *, dtype: Any = None
        ) -> Tensor:
            """Return the leaf."""
            if dtype is None:
                dtype = data.dtype if isinstance(data, Tensor) else np.float32
            t = Tensor(array_of(data), True, floating("Parameter", dtype))
            return t.requires_grad_(requires_grad)


class ModuleList(Module):
    """Modules in a list, whose parameters are named by their places.

    Args:
        modules: modules, or other functions of a tensor.

    Raises:
        TypeError: if one of them cannot be called.
    """

    def __init__(self, modules: Iterable[Any] = ()) -> None:
        self.layers: list[Any] = []
        self.extend(modules)

    def __setitem__(self, i: int, module: Any) -> None:
        self.layers[i] = self.checked(module, i)

    def append(self, module: Any) -> ModuleList:
        """Add a module at the end; return this list."""
        self.layers.append(self.checked(module, len(self)))
        return self

    def extend(self, modules: Iterable[Any]) -> ModuleList:
        """Add modules at the end; return this list."""
        self.layers += [self.checked(m, i) for i, m in enumerate(modules, len(self))]
        return self

    def checked(self, module: Any, i: int) -> Any:
        """Return the module for item `i`; raise TypeError if it isn't callable."""
        if not callable(module) or isinstance(module, type):
            raise TypeError(
                f"{type(self).__name__}: item {i} must be a module, such as ReLU(), "
                f"got {module!r:.60}"
            )
        return module

    def named_attributes(self) -> Iterator[tuple[str, Any]]:
        """Iterate over the modules, named by their numbers, and other attributes."""
        for name, value in super().named_attributes():
            yield from named_items(value) if name == "layers" else ((name, value),)

    def __getitem__(self, i: Any) -> Any:
        return ModuleList(self.layers[i]) if isinstance(i, slice) else self.layers[i]

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.layers)


class ModuleDict(Module):
    """Modules by name, each also an attribute: `d["head"]` is `d.head`.

    Args:
        modules: a dictionary of modules, or pairs of a name and a module.

    Raises:
        TypeError: if a value isn't a module.
        KeyError: if a name is taken, such as that of a method.
    """

    def __init__(
        self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] = ()
    ) -> None:
        for name, module in dict(modules).items():
            self[name] = module

    def __setitem__(self, name: str, module: Module) -> None:
        if not isinstance(module, Module):
            raise TypeError(f"ModuleDict: {name} must be a module, got {module!r:.60}")
        if hasattr(ModuleDict, name):
            raise KeyError(
                f"ModuleDict: {name!r} is what a ModuleDict itself has; take another "
                "name, or keep the modules in a dictionary of Python"
            )
        setattr(self, name, module)

    def __getitem__(self, name: str) -> Module:
        return dict(self.items())[name]

    def items(self) -> Iterator[tuple[str, Module]]:
        """Iterate over the names and modules."""
        for name, value in vars(self).items():
            if isinstance(value, Module):
                yield name, value

    def keys(self) -> Iterator[str]:
        """Iterate over the names."""
        return (name for name, _ in self.items())

    def values(self) -> Iterator[Module]:
        """Iterate over the modules."""
        return (module for _, module in self.items())

    def __iter__(self) -> Iterator[str]:
        return self.keys()

    def __contains__(self, name: object) -> bool:
        return name in dict(self.items())

    def __len__(self) -> int:
        return len(list(self.keys()))
