"""From a program to machine code: loops over elements, compiled by Numba (chapter 26).

`compile(f, passes=MACHINE)` writes a program whose calls element by element, with the
sums and maxima of rows between them, are loops: each reads what it needs from memory
once, and writes once what others read. What is in no loop stays with NumPy.

- `scalars`: what NumPy's functions are for one number, as text.
- `groups`: which calls come into one loop, and in what order.
- `nest`: a group written down as loops over rows and columns.
- `rounds`: a loop that was found in the program, with its rounds inside.
- `build`: text becomes a function, compiled once and kept between processes.
- `rewrite`: all of it, as rewrites of a program.

Arithmetic, comparisons, square roots, selections and casts have the bits that NumPy's
calls have; so have sums of rows and of columns. `exp`, `tanh` and their kin are within
four units in the last place; dot products of rows, and sums of whole arrays, add in
another order. What NumPy warns of, such as an overflow, machine code does in silence.
"""

from autograd_lib.program.machine.rewrite import MACHINE as MACHINE
from autograd_lib.program.machine.rewrite import machine as machine
from autograd_lib.program.machine.rewrite import sources as sources
