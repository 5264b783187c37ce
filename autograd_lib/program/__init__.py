"""A tracing compiler: forward and backward pass as a Python program (chapter 22).

Five rooms, with one idea in a file:

- core: from NumPy calls to Python source. The `tracer` records the calls of one run on
  traced `array` objects; `ir` holds them in single assignment; the `writer` writes them
  as Python, and the `interpreter` executes them. Of the package, core imports the
  engine only.
- words: the `origins` of calls in the source, and the `naming` of values.
- rewrites: optimisations of a graph, each optional. `loops`, with `rounds`, rolls
  repeated calls up again, `blocks` runs elementwise calls on large arrays block by
  block, and `reuse_memory` plans buffers, with the help of `memory`.
- calls: which calls a program fits, and what it is given. The room has a map.
- machine: loops of machine code, by Numba, for elementwise calls (chapter 23).
"""

from autograd_lib.program.calls.compiled import Compiled as Compiled
from autograd_lib.program.calls.compiled import compile as compile
from autograd_lib.program.calls.program import Program as Program
from autograd_lib.program.core.tracer import Refused as Refused
from autograd_lib.program.rewrites import PASSES as PASSES
