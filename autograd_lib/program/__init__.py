"""A tracing compiler: forward and backward pass as a Python program (chapter 24).

Five rooms, with one idea in a file:

- core: from NumPy calls to Python source. The `tracer` records the calls of one run on
  traced `array` objects; `ir` holds them in single assignment; the `writer` writes them
  as Python. Of the package, core imports the engine only.
- words: the `origins` of calls in the source, and the `naming` of values.
- rewrites: optimisations of a graph, each optional. `loops`, with `rounds`, rolls
  repeated calls up again, `blocks` runs elementwise calls on large arrays block by
  block, and `reuse_memory` plans buffers, with the help of `memory`.
- calls: `compiled` keeps a function's programs, and the floor below them. Each has a
  `guard` on the arguments and on each place, or `capture`, that was `captured`.
  `recording` runs the function and restores a `snapshot` afterwards; `attempts` runs it
  once more if it writes what was a constant; `number` is a Python number of a program,
  and `side_effects` turns what is written into outputs. `verify` is the net.
- machine: loops of machine code, by Numba, for elementwise calls (chapter 26).
"""

from autograd_lib.program.calls.compiled import Compiled as Compiled
from autograd_lib.program.calls.compiled import compile as compile
from autograd_lib.program.calls.program import Program as Program
from autograd_lib.program.core.tracer import Refused as Refused
from autograd_lib.program.rewrites import PASSES as PASSES
