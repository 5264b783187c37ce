"""NumPy's functions that tensors refuse, and the alternatives (chapter 10).

They write into their first argument, which no rule could follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import REFUSED

WRITES: dict[Any, str] = {
    np.copyto: "np.full and np.full_like call it too; write t[...] = value into a "
    "tensor, or use np.broadcast_to(value, shape)",
    np.fill_diagonal: "write t[range(n), range(n)] = value, or add np.diag(v)",
    np.put: "write t.ravel()[indices] = values where t lies by rows, or np.where",
    np.place: "write t[mask] = values, with a value for each place that it names",
    np.putmask: "use np.where(mask, values, t), or write t[mask] = value",
}
for function, way in WRITES.items():
    REFUSED[function] = f"would write into an array without a record; {way}"
