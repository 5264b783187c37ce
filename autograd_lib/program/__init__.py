"""From a tape to a program: forward and backward as Python that runs (chapter 24).

The core is three files, of some 500 lines of code without docstrings, comments and
blank lines. `notes` notes NumPy's calls while a function runs once; `values` is what it
notes, a graph of calls in single assignment; `source` writes that down as Python, which
`exec` makes a function.

What is beyond makes this core fit for use, each file with one idea:

- recording: `recorded` arrays stand for arrays and ask `recorder`, which answers NumPy
  and refuses what no program can do; `recording` puts things back as they were,
  `numpy_calls` and `numpy_names` know NumPy's exceptions, `origins` and `names` the
  reader's lines and words;
- passes: `passes` are the short ones; `loops`, with `rounds`, finds rounds again,
  `layout` spares copies, `blocks` takes large arrays in rows, and `memory` plans which
  results share memory;
- calls: `compiled` remembers programs and decides which calls they fit, by what a call
  is `given`, what else is `captured`, and a `guard`, the short way to see both.
"""

from autograd_lib.program.calls.compiled import Compiled as Compiled
from autograd_lib.program.calls.compiled import Program as Program
from autograd_lib.program.calls.compiled import compile as compile
from autograd_lib.program.core.answers import Refused as Refused
from autograd_lib.program.rewrites.passes import PASSES as PASSES
