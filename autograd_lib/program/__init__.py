"""From a tape to a program: forward and backward as Python that runs (chapter 24).

Four rooms, each with one idea in a file:

- core: the way from a call to Python, and all that it takes. The `tracer` notes NumPy's
  calls while a function runs once, on an `array` that stands for each array; the
  `graph` is what is noted, calls in single assignment; the `writer` writes that down
  as Python, which `exec` makes a function. Of the package it imports the engine alone.
- words: what a reader is told, the `origins` of calls and the `naming` of results.
- rewrites: each makes a graph shorter, or its loops and copies fewer, and each may be
  left out; `loops`, with `rounds`, finds rounds again, `blocks` takes large arrays in
  pieces, and `reuse_memory` plans which results share `memory`.
- calls: `compiled` remembers programs and decides which calls they fit, by a `check`
  for each, of the arguments and of what else is `captured`, at which `places`;
  `recording` runs the function, and puts all back that a `snapshot` holds. `attempts`
  finds out what a program has to be given, with a `number` among that, and what is
  `written` comes out of it.
"""

from autograd_lib.program.calls.compiled import Compiled as Compiled
from autograd_lib.program.calls.compiled import compile as compile
from autograd_lib.program.calls.known import Program as Program
from autograd_lib.program.core.tracer import Refused as Refused
from autograd_lib.program.rewrites import PASSES as PASSES
