"""Accidents of the steps `leaves` and `steps`."""

from __future__ import annotations

import gc
import weakref
from contextlib import suppress
from typing import Any

import numpy as np

from autograd_lib.small.accidents.arrays import (
    FREED,
    GRAD,
    NO_GRADIENT,
    owner,
    tanh,
)
from autograd_lib.small.accidents.bench import (
    REFUSALS,
    Engine,
    Wrong,
    accident,
    holds,
    near,
    plain,
    refused,
    right_or_refused,
)

LEAVES = (*GRAD, "Tensor.backward", "Tensor.grad", "no_grad")
STEPS = (*LEAVES, "Tensor.__isub__")


def hooked(engine: Engine, x: Any, hook: Any) -> Any:
    """Return x with a hook: by the engine's function, or by a method that keeps x."""
    if hasattr(engine.module, "hooked"):
        return engine.hooked(x, hook)
    x.register_hook(hook)
    return x


@accident(*LEAVES)
def leaves_collect(engine: Engine) -> None:
    """A leaf's grad is None at first, and adds up over passes; results keep none."""
    x = engine.leaf(3.0)
    holds(x.grad is None, f"Got {x.grad}, right is None.", leaves_collect.about)
    h = x
    for right in (24.0, 48.0):
        h = x * 2.0
        (h * h).backward()
        near(x.grad, right, leaves_collect.about)
    holds(h.grad is None, f"Got {h.grad}, right is None.", leaves_collect.about)
    x.grad = None
    (x * x).backward()
    near(x.grad, 6.0, "After x.grad = None, it begins anew.")
    v = engine.leaf([1.0, 2.0])
    (v * v).backward(np.array([1.0, 10.0]))
    near(v.grad, [2.0, 40.0], "backward takes a gradient of the result's shape.")
    refused((v * v).backward, ("shape", "sum"), "Of two numbers, which?")
    with engine.no_grad():
        p = x - 1.0

    def forget() -> Any:
        p.grad = None
        return p

    no_leaf = "x - 1 under no_grad() is no leaf. Say so, or let it be."
    words = "leaf", "gradient", "require"
    right_or_refused(forget, 2.0, words, no_leaf)
    p = x - 1.0

    def give() -> Any:
        p.grad = 1.0
        return p.grad

    refused(give, words, "x - 1 is no leaf, and no pass adds to its grad. Say so.")


@accident(*LEAVES)
def leaves_other_shape(engine: Engine) -> None:
    """A gradient has the shape of its tensor: copies would hide a mistake."""
    v, words = engine.leaf([1.0, 2.0, 3.0]), ("shape", "broadcast", "size")
    about = leaves_other_shape.about
    refused(lambda: (v * v).backward(np.ones(1)), words, f"{about} This is a pass's.")

    def renewed() -> Any:
        v.grad = engine.Tensor([1.0])
        (v * v).backward(np.ones(3))
        return v.grad

    refused(renewed, words, f"{about} This is v.grad = tensor.")


@accident(*LEAVES)
def leaves_freed(engine: Engine) -> None:
    """A part of the graph was freed and looks like a leaf: refuse to go through it."""
    a = engine.leaf(3.0)
    square = a * a
    square.backward()
    near(a.grad, 6.0, "The slope of a².")

    def again() -> Any:
        (square + a).backward()
        return a.grad

    right_or_refused(again, 13.0, FREED, leaves_freed.about)


@accident(*LEAVES)
def leaves_frees(engine: Engine) -> None:
    """A pass lets go of what its rules saved, though somebody holds the result."""
    w = engine.leaf(np.eye(7))
    h = w @ engine.Tensor(np.ones((7, 7)))
    y, array = tanh(engine, h) @ w, weakref.ref(owner(h.data))
    product = h * h
    z = y + product
    del h, product, y
    gc.collect()
    z.backward(np.ones((7, 7)))
    gc.collect()
    why = (
        "An array that a rule saved is alive after the pass; right is that it is gone."
    )
    holds(array() is None, why, leaves_frees.about)


@accident(*LEAVES)
def leaves_half_a_pass(engine: Engine) -> None:
    """A pass that fails leaves every grad as it was: add up when it is over."""
    x, z = engine.leaf(3.0), engine.leaf(1.0)
    h = x * x
    (h * 2.0).backward()
    before = plain(x.grad)
    refused((z * 2.0 + h).backward, FREED, "h was freed by the pass before.")
    holds(z.grad is None, f"Got {z.grad}, right is None.", leaves_half_a_pass.about)
    near(x.grad, before, leaves_half_a_pass.about)


@accident(*LEAVES, "hooked")
def leaves_failing_hook(engine: Engine) -> None:
    """A hook that fails in the middle of a pass leaves every grad as it was."""
    x, z = engine.leaf(3.0), engine.leaf(1.0)

    def fail(g: Any) -> None:
        raise KeyError("a hook of the caller")

    h = hooked(engine, x * x, fail)
    with suppress(KeyError):
        (h + z).backward()
    got = [t.grad for t in (x, z) if t.grad is not None]
    holds(not got, f"Got {got}, right is None.", leaves_failing_hook.about)
    y = x * x
    y.backward()
    near(x.grad, 6.0, "After it, recording is as it was.")


@accident(*LEAVES)
def leaves_own_arrays(engine: Engine) -> None:
    """p.grad and q.grad were one array, and a write into one changed both."""
    p, q, seed = engine.leaf([1.0]), engine.leaf([1.0]), np.ones(1)
    ((p + q) * 1.0).backward(seed)
    array = plain(p.grad)
    if array.flags.writeable:
        array[0] = 9.0
    near(q.grad, [1.0], leaves_own_arrays.about)
    near(seed, [1.0], "The caller's gradient was kept and written into.")


@accident(*LEAVES)
def leaves_no_grad(engine: Engine) -> None:
    """no_grad restores what it found, also after an error, and inside another."""
    x = engine.leaf(3.0)
    with engine.no_grad():
        y = x * x
        with engine.no_grad():
            pass
        z = x * x
    refused(y.backward, NO_GRADIENT, "Nothing was recorded, and backward said nothing.")
    refused(z.backward, NO_GRADIENT, leaves_no_grad.about)
    try:
        with engine.no_grad():
            raise KeyError
    except KeyError:
        try:
            near(engine.slope(x * x, x), 6.0, leaves_no_grad.about)
        except RuntimeError as error:
            why = leaves_no_grad.about
            raise Wrong(f"Got {str(error)[:60]!r}, right is 6. {why}") from None


@accident(*LEAVES, "Tensor.detach")
def leaves_detach(engine: Engine) -> None:
    """detach is about one of two uses; the other one still counts: 18 + 1."""
    x, w = engine.leaf(3.0), engine.leaf(2.0)
    h = x * w
    near(engine.slope(h * h.detach() + w, w), 19.0, leaves_detach.about)


@accident(*LEAVES, "hooked")
def leaves_hooks(engine: Engine) -> None:
    """A hook is called once, with the sum over all uses."""
    x = engine.leaf(3.0)
    seen: list[Any] = []
    h = hooked(engine, x * x, seen.append)
    (3.0 * h + h * h + h).backward()
    near([float(plain(g)) for g in seen], [22.0], leaves_hooks.about)
    near(x.grad, 132.0, "A hook that returns None changes nothing.")
    p, q = engine.leaf([1.0]), engine.leaf([2.0])

    def write(g: Any) -> None:
        with suppress(*REFUSALS):
            g.data = 0.1 * plain(g)

    (hooked(engine, p * 1.0, write) + q).backward()
    near(q.grad, [1.0], "A hook of p wrote into its gradient, which is q's, too.")


@accident(*LEAVES, "hooked")
def leaves_hooks_answer(engine: Engine) -> None:
    """What a hook returns takes the gradient's place, 0 too, in a leaf or a result."""
    for answer, right in ((lambda g: g * 0.0 + 5.0, 5.0), (lambda g: g * 0.0, 0.0)):
        x = engine.leaf(3.0)
        t = hooked(engine, x, answer)
        (t * t).backward()
        near(x.grad, right, leaves_hooks_answer.about)
        x = engine.leaf(3.0)
        h = hooked(engine, x * 1.0, answer)
        (h * h).backward()
        near(x.grad, right, leaves_hooks_answer.about)

    def zero() -> Any:
        x = engine.leaf(3.0)
        t = hooked(engine, x, lambda g: 0.0)
        (t * t).backward()
        return x.grad

    right_or_refused(zero, 0.0, ("hook", "tensor", "float"), leaves_hooks_answer.about)


@accident(*LEAVES)
def leaves_retain(engine: Engine) -> None:
    """Two losses share a graph: the first pass is told to retain it."""
    x = engine.leaf(3.0)
    h = x * x
    (h * 2.0).backward(retain_graph=True)
    (h * h).backward()
    near(x.grad, 12.0 + 108.0, leaves_retain.about)
    refused((h * 2.0).backward, FREED, "The second pass freed it.")


@accident(*STEPS)
def steps_update(engine: Engine) -> None:
    """An update changes the leaf, not the name; and the leaf stays a leaf."""
    w = engine.leaf(2.0)
    for p, right in ((w, 1.6), (w, 1.28)):
        (p * p).backward()
        with engine.no_grad():
            p -= 0.1 * p.grad
        near(w, right, steps_update.about)
        p.grad = None
    with engine.no_grad():
        w += 1.0
    near(w, 2.28, steps_update.about)
    near(engine.slope(w * w, w), 4.56, steps_update.about)


@accident(*STEPS)
def steps_two_moments(engine: Engine) -> None:
    """A rule read two moments at once: what is saved must not be written into."""

    def in_data(w: Any) -> None:
        w.data -= 0.1 * plain(w.grad)

    def in_place(w: Any) -> None:
        w -= 0.1 * w.grad

    def fresh_and_in_data(w: Any) -> None:
        w.data = w.data - 0.1 * plain(w.grad)

    for write in (in_data, in_place, fresh_and_in_data):
        w = engine.leaf(3.0)
        first, second = w * w, (w * w) * w
        first.backward()

        def after(write: Any = write, w: Any = w, second: Any = second) -> Any:
            with engine.no_grad():
                write(w)
            return engine.slope(second, w)

        words = "read-only", "version", "written", "in place", "in-place", "changed"
        right_or_refused(after, 27.0, words, steps_two_moments.about)


@accident(*STEPS)
def steps_lent_array(engine: Engine) -> None:
    """A product saved the caller's array, and the caller wrote into it: keep a copy."""
    array, t = np.array([2.0, 3.0, 4.0]), engine.leaf([1.0, 1.0])
    y = t * array[:2]
    array[:] = 5.0
    near(engine.slope(y, t), [2.0, 3.0], steps_lent_array.about)
    array = np.array([2.0, 3.0, 4.0])
    t.data = array[:2]
    y = t * t
    array[:] = 5.0
    near(engine.slope(y, t), [4.0, 6.0], "Here it was assigned to t.data.")


@accident(*STEPS)
def steps_writes(engine: Engine) -> None:
    """What a rule will read was written into: copy it, or make it read-only."""
    words = "read-only", "version", "written", "in place", "in-place", "changed"

    def into_result() -> Any:
        t = engine.leaf([1.0, 1.0])
        z = t * 3.0
        y = z * z
        z.data[:] = 7.0
        return engine.slope(y, t)

    def into_choice() -> Any:
        t, chosen = engine.leaf([2.0, 3.0]), np.array([True, False])
        y = np.where(chosen, t * t, 0.0)
        chosen[:] = False
        return engine.slope(y, t)

    for name, call, right in (
        ("a result's data", into_result, [18.0, 18.0]),
        ("the condition of where", into_choice, [4.0, 0.0]),
    ):
        why = f"{steps_writes.about} Here it is {name}."
        right_or_refused(call, right, words, why)


@accident(*STEPS)
def steps_the_callers_array(engine: Engine) -> None:
    """The leaf and the caller share an array: make a copy."""
    array = np.ones(2)
    v = engine.leaf(array)
    array[0] = 7.0
    (v * v).backward(np.ones(2))
    with engine.no_grad():
        v -= 0.1 * v.grad
    near(v, [0.8, 0.8], steps_the_callers_array.about)
    near(array, [7.0, 1.0], steps_the_callers_array.about)


@accident(*STEPS)
def steps_recorded_write(engine: Engine) -> None:
    """Is a recorded write about the old number or the new one? Refuse it."""
    w = engine.leaf(2.0)
    words = "leaf", "no_grad", "in place", "in-place", "under"

    def write() -> Any:
        w.__isub__(1.0)
        return w

    refused(write, words, steps_recorded_write.about)
    near(w, 2.0, "After the refusal, the leaf is as it was.")


@accident(*STEPS)
def steps_other_signs(engine: Engine) -> None:
    """p *= 0.9 changes the leaf as p -= d does; else p is another tensor, silently."""
    w = p = engine.leaf(2.0)
    with engine.no_grad():
        p *= 0.5
    near(w, 1.0, steps_other_signs.about)
    with engine.no_grad():
        p /= 0.25
    near(w, 4.0, steps_other_signs.about)
    near(engine.slope(w * w, w), 8.0, "The leaf stays a leaf.")


@accident(*STEPS)
def steps_sum_of_losses(engine: Engine) -> None:
    """total += loss, from 0 on, is a sum as total + loss is: each term counts."""
    w = engine.leaf(5.0)
    total = engine.Tensor(0.0)

    def added() -> Any:
        nonlocal total
        for _ in range(2):
            total += w * w
        return engine.slope(total, w)

    near(added, 20.0, steps_sum_of_losses.about)
    near(total, 50.0, steps_sum_of_losses.about)


@accident(*STEPS)
def steps_powers(engine: Engine) -> None:
    """p **= 2 changes the leaf as p *= p does; else p is another tensor, silently."""
    w = p = engine.leaf(3.0)
    words = "in place", "in-place", "pow", "unsupported"

    def squared() -> Any:
        nonlocal p
        with engine.no_grad():
            p **= 2.0
        return w

    right_or_refused(squared, 9.0, words, steps_powers.about)


@accident(*STEPS)
def steps_turned(engine: Engine) -> None:
    """A tensor that looks at the caller's array changes with it: make a copy."""
    array, functions = np.ones((2, 2)), ("transpose", "swapaxes", "reshape")
    given = {"swapaxes": (0, 1), "reshape": (4,)}
    for name in (name for name in functions if engine.has(name)):
        try:
            t = getattr(engine, name)(array, *given.get(name, ()))
        except (AttributeError, TypeError):
            continue  # it takes tensors only
        array[:] = array + 1.0
        about = f"{steps_turned.about} This is {name} of an array."
        near(np.ravel(plain(t)), np.ravel(array - 1.0), about)


@accident(*STEPS)
def steps_type_and_shape(engine: Engine) -> None:
    """An update keeps the shape and the type of its leaf."""
    w = engine.leaf(2.0)
    words = "shape", "broadcast"

    def widen() -> Any:
        nonlocal w
        with engine.no_grad():
            w -= np.ones(3)
        return w

    refused(widen, words, steps_type_and_shape.about)
    t = engine.leaf(np.ones(2, np.float32))
    with engine.no_grad():
        t -= np.full(2, 0.5)
    found = t.data.dtype.name
    got = f"Got {found}, right is float32."
    holds(found == "float32", got, steps_type_and_shape.about)
