"""Cases of `ops/shapes.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import normal
from tests.library.operations.forms import linear

X = normal(2, 3, 4)
CALLS = [
    ("numpy.reshape", "to (4, 6)", lambda x: np.reshape(x, (4, 6))),
    ("numpy.reshape", "to -1", lambda x: np.reshape(x, -1)),
    ("numpy.reshape", "method, numbers", lambda x: x.reshape(6, -1)),
    ("numpy.reshape", "method, a tuple", lambda x: x.reshape((3, 8))),
    ("numpy.reshape", "after a transpose", lambda x: x.T.reshape(6, 4)),
    ("numpy.transpose", "reversed", np.transpose),
    ("numpy.transpose", "T", lambda x: x.T),
    ("numpy.transpose", "axes (1, 2, 0)", lambda x: np.transpose(x, (1, 2, 0))),
    ("numpy.transpose", "method, (-1, 0, 1)", lambda x: x.transpose(-1, 0, 1)),
    ("numpy.transpose", "method, a tuple", lambda x: x.transpose((0, 2, 1))),
    ("numpy.swapaxes", "0 and 2", lambda x: np.swapaxes(x, 0, 2)),
    ("numpy.swapaxes", "method, -1 and 1", lambda x: x.swapaxes(-1, 1)),
    ("numpy.moveaxis", "0 to -1", lambda x: np.moveaxis(x, 0, -1)),
    ("numpy.moveaxis", "(0, 1) to (-1, 0)", lambda x: np.moveaxis(x, (0, 1), (-1, 0))),
    ("numpy.squeeze", "all", lambda x: np.squeeze(x[:1, :, None])),
    ("numpy.squeeze", "axis 1", lambda x: np.squeeze(x[:1, :, None], axis=2)),
    ("numpy.squeeze", "method", lambda x: x[:1].squeeze(0)),
    ("numpy.expand_dims", "axis 1", lambda x: np.expand_dims(x, 1)),
    ("numpy.expand_dims", "axes (0, -1)", lambda x: np.expand_dims(x, (0, -1))),
    ("numpy.ravel", "a function", np.ravel),
    ("numpy.ravel", "method", lambda x: x.ravel()),
]
IN_TORCH = {
    "numpy.transpose: reversed": lambda x: x.permute(2, 1, 0),
    "numpy.transpose: T": lambda x: x.permute(2, 1, 0),
    "numpy.transpose: axes (1, 2, 0)": lambda x: x.permute(1, 2, 0),
    "numpy.transpose: method, (-1, 0, 1)": lambda x: x.permute(-1, 0, 1),
    "numpy.transpose: method, a tuple": lambda x: x.permute(0, 2, 1),
    "numpy.reshape: to (4, 6)": lambda x: x.reshape(4, 6),
    "numpy.reshape: to -1": lambda x: x.reshape(-1),
    "numpy.reshape: after a transpose": lambda x: x.permute(2, 1, 0).reshape(6, 4),
    "numpy.swapaxes: 0 and 2": lambda x: x.swapaxes(0, 2),
    "numpy.moveaxis: 0 to -1": lambda x: x.moveaxis(0, -1),
    "numpy.moveaxis: (0, 1) to (-1, 0)": lambda x: x.moveaxis((0, 1), (-1, 0)),
    "numpy.squeeze: all": lambda x: x[:1, :, None].squeeze(),
    "numpy.squeeze: axis 1": lambda x: x[:1, :, None].squeeze(2),
    "numpy.expand_dims: axis 1": lambda x: x.unsqueeze(1),
    "numpy.expand_dims: axes (0, -1)": lambda x: x.unsqueeze(0).unsqueeze(-1),
    "numpy.ravel: a function": lambda x: torch.ravel(x),
}

CASES = [
    case
    for operation, name, f in CALLS
    for case in linear(
        operation, name, f, X, torch=IN_TORCH.get(f"{operation}: {name}", f)
    )
]
