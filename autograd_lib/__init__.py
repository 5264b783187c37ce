"""The package that grows with the book *Autograd, Bottom Up*, a module an idea.

Import what you need from the module that holds it, for example
``from autograd_lib.float_var import float_var``.
"""

__version__ = "0.1.0"
