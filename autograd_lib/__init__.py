"""The package that grows with the book *Autograd, Bottom Up*, a folder for each part.

    import autograd_lib as ag

    x = ag.Tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()

Names are imported on first use, so `ag.Value` doesn't need NumPy. The chapters import
from the modules themselves, such as `autograd_lib.scalar.value`. Type checkers and
editors read the names in `__init__.pyi`.
"""

import sys
from importlib import import_module
from importlib.machinery import PathFinder

__version__ = "0.1.0"

WHERE = {
    "Value": "scalar.value",
    "Tensor": "engine",
    "tensor": "engine",
    "from_numpy": "engine",
    "grad": "engine",
    "no_grad": "engine",
    "enable_grad": "engine",
    "is_grad_enabled": "engine",
    "Function": "engine.function",
    "operation": "engine.numpy.protocol",
    "functional": "functional",
    "tree": "functional",
    "value_and_grad": "functional",
    "vjp": "functional",
    "jacobian": "functional",
    "hessian": "functional",
    "hvp": "functional",
    "vhp": "functional",
    "jvp": "forward",
    "gradcheck": "check",
    "gradgradcheck": "check",
    "dotcheck": "check",
    "checkpoint": "checkpointing",
    "saved_tensors_hooks": "checkpointing",
    "compile": "program",
    "MACHINE": "program.machine",
    "nn": "nn",
    "optim": "optim",
    "data": "data",
}
__all__ = list(WHERE)


def __getattr__(name: str) -> object:
    if name not in WHERE:
        if PathFinder.find_spec(f"autograd_lib.{name}", __path__):
            return import_module(f"autograd_lib.{name}")
        spelling = import_module("autograd_lib.spelling")
        raise spelling.missing("autograd_lib", name, [*WHERE, "and its modules"])
    module = import_module(f"autograd_lib.{WHERE[name]}")
    found = module if name == WHERE[name] else getattr(module, name)
    globals()[name] = found  # so that this function isn't called again
    return found


class Finder:
    """Asks `spelling`, once it is needed, about a submodule that is missing."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Raise ModuleNotFoundError for a known name; find nothing."""
        if name.startswith("autograd_lib.") and name != "autograd_lib.spelling":
            import_module("autograd_lib.spelling").Finder.find_spec(name)


if not any(getattr(finder, "__module__", "") == __name__ for finder in sys.meta_path):
    sys.meta_path.append(Finder)  # last, so for what no other finds


def __dir__() -> list[str]:
    return sorted({*globals(), *WHERE})
