"""From a tape to a program: forward and backward as Python that runs (chapter 24).

The way of a function, file by file: `recorder` notes NumPy's calls on `recorded` arrays
while the function runs once, `values` holds what it noted, `passes` improve that,
`memory` plans which results share memory, `source` writes it down as Python, and
`compiled` remembers the program and decides which calls it fits.

Beside it: `given` and `captured` say what a program depends on, `recording` puts things
back as they were, `numpy_calls` and `numpy_names` know NumPy's exceptions, `origins`
and `names` the reader's lines and words. Three passes have a file of their own:
`loops` finds rounds again, `layout` spares copies, `blocks` takes large arrays in rows.
"""

from autograd_lib.program.compiled import Compiled as Compiled
from autograd_lib.program.compiled import Program as Program
from autograd_lib.program.compiled import compile as compile
from autograd_lib.program.passes import PASSES as PASSES
from autograd_lib.program.recorder import Refused as Refused
