"""From a program to machine code: loops over elements, compiled by Numba (chapter 23).

`compile(f, passes=MACHINE)` fuses elementwise calls, and the sums and maxima of rows
between them, into loops: each reads its operands from memory once and writes only the
results that others read. All other calls stay with NumPy.

- `scalars`: NumPy's functions for one number, as source.
- `groups`: which calls are fused into one loop, and in what order.
- `nest`: writes a group as loops over rows and columns.
- `rounds`: a loop of the program, with its rounds inside.
- `build`: compiles source, with a cache on disk.
- `rewrite`: all of this, as rewrites of a program.

Arithmetic, comparisons, square roots, selections and casts give the same bits as NumPy;
so do sums of rows and of columns. `exp`, `tanh` and related functions are within four
units in the last place; dot products of rows and sums of whole arrays add in another
order. Machine code gives no warnings, for example of overflow.
"""

from autograd_lib.program.machine.rewrite import MACHINE as MACHINE
from autograd_lib.program.machine.rewrite import machine as machine
from autograd_lib.program.machine.rewrite import sources as sources
