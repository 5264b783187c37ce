"""A hint is code that was run: what it writes, beside what PyTorch writes for the same.

A hint's code is given word by word as it stands in the hint. Both sides get the same
numbers by name, and are compared in value, type and gradient: at zeros, at ±100, in
float32 and in float64. What is left of the sentence must hold no code.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograd_lib as ag
from autograd_lib import data, functional, nn, optim, tree
from autograd_lib.engine.tape.tensor import Tensor

CODE = re.compile(r"[()\[\]=@]|\b(ag|nn|optim|data|functional|tree|np|t|x)\.\w")
SPECIAL = [[-100.0, -2.5, 0.0, 0.25], [0.75, 1.5, 100.0, 3.0], [-0.5, 0.0, -7.0, 20.5]]
COMMON: dict[str, Any] = {
    "t": SPECIAL,
    "x": SPECIAL,
    "y": [[100.0, -2.0, 0.0, 0.5], [0.75, -1.5, -100.0, 4.0], [0.5, 1.0, 9.0, -20.5]],
    "a": [[0.5, -1.0, 0.0, 2.0], [1.5, 100.0, -0.25, 1.0], [0.0, 3.0, -2.0, 0.125]],
    "b": [[1.0, 0.0, -3.0, 0.5], [0.25, -100.0, 2.0, 1.0], [4.0, -1.5, 0.0, 2.5]],
}
"""Given to both sides unless a case gives others: zeros, ±100, and numbers between."""


@dataclass(frozen=True)
class Hint:
    """What a hint writes, and PyTorch's way.

    Attributes:
        code: what the hint writes, word by word; run in turn.
        torch: PyTorch's way, run beside it; "" where PyTorch has no such thing, and
            then `holds` says what must be true.
        before: what both sides run first, such as a result that may be written into.
        then: an expression of what came of it, on both sides, if `code` returns none.
        holds: an expression that must be true of the result `r`.
        kind: whether only shape and type are compared, as of what is drawn.
        given: further numbers by name; lists of floats come in both precisions, or in
            float32 with ``single=True``, for layers; what `constants` names needs no
            gradient.
    """

    code: tuple[str, ...]
    torch: str = ""
    then: str = ""
    holds: str = ""
    before: str = ""
    kind: bool = False
    given: dict[str, Any] = field(default_factory=dict)


def hint(
    *code: str,
    torch: str = "",
    then: str = "",
    holds: str = "",
    before: str = "",
    kind: bool = False,
    **given: Any,
) -> Hint:
    """Return a hint's case."""
    return Hint(code, torch, then, holds, before, kind, given)


def prose(case: Hint | None, sentence: str) -> str:
    """Return what is left of a sentence without its code, which must stand in it."""
    for code in case.code if case else ():
        if code not in sentence:
            raise AssertionError(f"{code!r} does not stand in {sentence!r}")
        sentence = sentence.replace(code, " ")
    return sentence


def floats(value: Any) -> bool:
    """Return whether a value is a float, or lists of them alone."""
    return np.asarray(value).dtype.kind == "f" if isinstance(value, list) else False


def names(case: Hint, dtype: Any) -> dict[str, Any]:
    """Return what both sides are given, as arrays where it is a list."""
    dtype = np.float32 if case.given.get("single") else dtype
    used = set(
        re.findall(r"\w+", " ".join((case.before, *case.code, case.torch, case.then)))
    )
    common = {k: v for k, v in COMMON.items() if k in used}
    return {
        name: np.array(value, dtype if floats(value) else None)
        if isinstance(value, list)
        else value
        for name, value in (common | case.given).items()
    }


def run(code: tuple[str, ...], then: str, own: dict[str, Any]) -> Any:
    """Run code in turn, and return what its last expression, or `then`, gives."""
    for part in code:
        if part.endswith("="):  # the name of an argument alone
            continue
        try:
            whole = compile(part, "<hint>", "eval")
        except SyntaxError:
            exec(part, own)
        else:
            own["result"] = eval(whole, own)
    return eval(then, own) if then else own.get("result")


def here(case: Hint, dtype: Any) -> tuple[Any, dict[str, Any]]:
    """Return what the hint's code gives here, and the tensors it was given."""
    given = names(case, dtype)
    tensors = {
        name: Tensor(a, requires_grad=True)
        for name, a in given.items()
        if isinstance(a, np.ndarray) and a.dtype.kind == "f"
        if name not in case.given.get("constants", ())
    }
    own: dict[str, Any] = {
        "np": np,
        "ag": ag,
        "nn": nn,
        "optim": optim,
        "data": data,
        "tree": tree,
        "functional": functional,
        "Tensor": Tensor,
        "autograd_lib": ag,
        "rng": np.random.default_rng(0),
        "taken": lambda t: np.asarray(getattr(t, "data", t)),
        **given,
        **tensors,
    }
    return run((case.before, *case.code)[not case.before :], case.then, own), tensors


def there(torch: Any, case: Hint, dtype: Any) -> tuple[Any, dict[str, Any]]:
    """Return what PyTorch's code gives, and the tensors it was given."""
    own: dict[str, Any] = {"torch": torch, "F": torch.nn.functional, "np": np}
    torch.manual_seed(0)
    tensors = {}
    for name, a in names(case, dtype).items():
        own[name] = torch.tensor(a) if isinstance(a, np.ndarray) else a
        constants = case.given.get("constants", ())
        if isinstance(a, np.ndarray) and a.dtype.kind == "f" and name not in constants:
            tensors[name] = own[name].requires_grad_(True)
    own["taken"] = lambda t: t.detach().numpy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what PyTorch says of its own names
        return run((case.torch,), case.then, own), tensors


def values_in(value: Any) -> Iterator[Any]:
    """Yield the tensors, arrays and numbers in a result."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from values_in(item)
    else:
        yield value


def array(value: Any) -> np.ndarray:
    """Return a result of either side as an array."""
    if isinstance(value, Tensor):
        return value.data
    if hasattr(value, "detach"):
        return np.asarray(value.detach().numpy())
    return np.asarray(value)


def gradients(results: list[Any], given: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return the gradients of one weighted sum of all results, zeros where none."""
    rng, total = np.random.default_rng(7), None
    for y in results:
        weights = rng.normal(size=array(y).shape).astype(array(y).dtype)
        if not getattr(y, "requires_grad", False):
            continue
        w = Tensor(weights) if isinstance(y, Tensor) else y.detach().new_tensor(weights)
        total = (y * w).sum() if total is None else total + (y * w).sum()
    if total is not None:
        total.backward()
    return {
        name: np.zeros(t.shape) if t.grad is None else array(t.grad)
        for name, t in given.items()
    }


def within(expected: np.ndarray) -> dict[str, float]:
    """Return how close a result must come, by the type of what is expected."""
    single = expected.dtype == np.float32
    return {"rtol": 3e-5, "atol": 1e-5} if single else {"rtol": 1e-9, "atol": 1e-9}


def compare(torch: Any, case: Hint, dtype: Any) -> None:
    """Compare both sides: values, types, gradients."""
    (ours, mine), (theirs, given) = here(case, dtype), there(torch, case, dtype)
    ours, theirs = list(values_in(ours)), list(values_in(theirs))
    assert len(ours) == len(theirs), (ours, theirs)
    for y, z in zip(map(array, ours), map(array, theirs), strict=True):
        assert (y.shape, y.dtype) == (z.shape, z.dtype)
        if not case.kind:
            np.testing.assert_allclose(y, z, **within(z))
    if case.kind:
        return
    found, wanted = gradients(ours, mine), gradients(theirs, given)
    for name, expected in wanted.items():
        close = within(expected)
        np.testing.assert_allclose(found[name], expected, **close, err_msg=name)
