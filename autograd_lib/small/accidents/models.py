"""Accidents of the steps `layer`, `parts` and `gpt`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.small.accidents.arrays import GRAD
from autograd_lib.small.accidents.bench import (
    Engine,
    accident,
    against_differences,
    holds,
    near,
    plain,
    refused,
    right_or_refused,
)
from autograd_lib.small.accidents.training import STEPS

LAYER = (*STEPS, "linear", "new_linear", "adamw", "cross_entropy")
GPT = (*LAYER, "gpt", "new_gpt")


@accident(*LAYER)
def layer_first_loss(engine: Engine) -> None:
    """Ten classes, and no knowledge: the first loss is near log 10 = 2.30."""
    rng = np.random.default_rng(0)
    model = engine.new_linear(rng, "hidden", 64, 64)
    model |= engine.new_linear(rng, "out", 64, 10)
    x, labels = rng.uniform(size=(200, 64)), rng.integers(10, size=200)
    hidden = np.maximum(engine.linear(model, "hidden", engine.Tensor(x)), 0.0)
    loss = engine.cross_entropy(engine.linear(model, "out", hidden), labels)
    got = float(plain(loss))
    said = f"Got {got:.3g}, right is between 2.2 and 2.6."
    holds(2.2 < got < 2.6, said, layer_first_loss.about)
    loss.backward()
    missing = [name for name, p in model.items() if p.grad is None]
    holds(not missing, f"Got None in {missing}.", "Each parameter has a gradient.")


@accident(*LAYER)
def layer_bias(engine: Engine) -> None:
    """A layer is x @ W + b, and each row of x adds to the gradient of b."""
    W, b = engine.leaf([[1.0, 2.0], [3.0, 4.0]]), engine.leaf([10.0, 20.0])
    x = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    y = engine.linear({"a.W": W, "a.b": b}, "a", engine.Tensor(x))
    near(y, [[11.0, 22.0], [16.0, 28.0], [14.0, 26.0]], layer_bias.about)
    gW, gb = engine.slopes(y, [W, b])
    near(gW, [[2.0, 2.0], [3.0, 3.0]], layer_bias.about)
    near(gb, [3.0, 3.0], layer_bias.about)


@accident(*LAYER)
def layer_adamw(engine: Engine) -> None:
    """AdamW steps by averages that are corrected for their start, and decays."""
    first, scale = np.array([2.0, -1.0, 3.0]), np.array([1.0, 10.0, 1e-5])
    w = engine.leaf(first)
    memory: dict[str, Any] = {}
    model = {"w": w}
    p, m, s = first, np.zeros(3), np.zeros(3)
    for k in (1, 2, 3):
        (w * w * scale).sum().backward()
        engine.adamw(model, memory, 0.1)
        g = 2 * p * scale
        m, s = 0.9 * m + 0.1 * g, 0.99 * s + 0.01 * g * g
        step = m / (1 - 0.9**k) / (np.sqrt(s / (1 - 0.99**k)) + 1e-8)
        p = p - 0.1 * (step + 0.01 * p)
        near(w, p, f"{layer_adamw.about} This is after step {k}.")
        holds(w.grad is None, f"Got {w.grad}, right is None.", "A step ends anew.")


@accident(*LAYER)
def layer_forgotten(engine: Engine) -> None:
    """A parameter that the loss does not use is named, and nothing is changed."""
    used, unused = engine.leaf(2.0), engine.leaf(3.0)
    (used * used).backward()
    model = {"used": used, "lost.b": unused}
    words = ("lost.b",)
    refused(lambda: engine.adamw(model, {}, 0.1), words, layer_forgotten.about)
    near([used.data, unused.data], [2.0, 3.0], layer_forgotten.about)


@accident(*GRAD, "Tensor.__getitem__")
def parts_repeated(engine: Engine) -> None:
    """A row that was taken twice gets both gradients: add, do not set."""
    table = engine.leaf(np.arange(6.0).reshape(3, 2))
    y = table[np.array([0, 0, 2])]
    seed = np.array([[1.0, 2.0], [10.0, 20.0], [5.0, 5.0]])
    got = engine.slopes(y, [table], seed)[0]
    near(got, [[11.0, 22.0], [0.0, 0.0], [5.0, 5.0]], parts_repeated.about)


@accident(*GRAD, "Tensor.__getitem__")
def parts_slices(engine: Engine) -> None:
    """The gradient goes to the places that were taken, and 0 to all others."""
    at = np.arange(12.0).reshape(3, 4) / 10
    rows = np.array([2, 0, 2])
    against_differences(
        engine,
        {
            "t[1]": lambda t: t[1],
            "t[1:, ::2]": lambda t: t[1:, ::2],
            "t[..., -1]": lambda t: t[..., -1],
            "t[rows]": lambda t: t[rows],
            "t[rows, rows]": lambda t: t[rows, rows],
            "t[mask]": lambda t: t[at > 0.5],
            "t[:, None]": lambda t: t[:, None] * t,
        },
        at,
    )
    t = engine.leaf(np.ones(3, np.float32))
    found = plain(engine.slope(t[1:], t)).dtype.name
    holds(found == "float32", f"Got {found}, right is float32.", "float32 stays.")


@accident(*GRAD, "Tensor.__getitem__")
def parts_second(engine: Engine) -> None:
    """The rule of taking is an operation, so it has a rule."""
    t = engine.leaf([1.0, 2.0, 3.0])
    part = t[np.array([0, 0, 2])]
    (g,) = engine.grad(part * part * part, [t], np.ones(3), create_graph=True)
    near(engine.slopes(g, [t])[0], [12.0, 0.0, 18.0], parts_second.about)


@accident(*GRAD, "Tensor.__getitem__")
def parts_written_index(engine: Engine) -> None:
    """The caller wrote into the index after it was used: keep a copy."""
    t, index = engine.leaf([1.0, 2.0, 3.0]), np.array([0, 2])
    y = t[index] * t[index]
    index[:] = 1
    near(engine.slope(y, t), [2.0, 0.0, 6.0], parts_written_index.about)


@accident(*GRAD, "Tensor.__getitem__")
def parts_one_number(engine: Engine) -> None:
    """A tensor of one number has a shape, (), too, and may be given more axes."""
    t, v = engine.leaf(3.0), engine.leaf([1.0, 2.0])
    near(lambda: engine.slope(t[None] * v, t), 3.0, parts_one_number.about)
    near(lambda: engine.slope(v[1] * 5.0, v), [0.0, 5.0], parts_one_number.about)


@accident(*GRAD, "Tensor.__getitem__")
def parts_items(engine: Engine) -> None:
    """Going through a tensor gives its rows, which are tensors; or refuse it."""
    t, words = engine.leaf([[1.0, 2.0], [3.0, 4.0]]), ("itera", "list")

    def sums() -> Any:
        return [float(plain(row.sum())) for row in t]

    right_or_refused(sums, [3.0, 7.0], words, parts_items.about)
    if not engine.has("record"):
        return
    try:
        y = engine.record(np.sin, t)
    except Exception:  # since an input is (x, rule, *saved)
        return
    near(y, np.sin(plain(t)), "record(np.sin, t) took t apart, as if it was a tuple.")


def shapes(tokens: int, context: int, d: int, depth: int) -> dict[str, Any]:
    """Return the names of a GPT's weights, and their shapes."""
    found: dict[str, Any] = {"token": (tokens, d), "place": (context, d)}
    layers: dict[str, tuple[int, ...]] = {"norm": (d,)}
    for i in range(depth):
        layers |= {f"{i}.{part}": (d, d) for part in ("q", "k", "v", "out")}
        layers |= {f"{i}.up": (d, 4 * d), f"{i}.down": (4 * d, d)}
        layers |= {f"{i}.norm1": (d,), f"{i}.norm2": (d,)}
    for name, shape in layers.items():
        found |= {f"{name}.W": shape, f"{name}.b": shape[-1:]}
    return found


def tiny(engine: Engine) -> Any:
    """Return a GPT of 7 tokens and 5 places whose weights are a fixed wave."""
    model = engine.new_gpt(np.random.default_rng(0), 7, 5, 8)
    got, right = {name: p.shape for name, p in model.items()}, shapes(7, 5, 8, 2)
    for name in sorted(got.keys() | right.keys()):
        said = f"Got {got.get(name)} for the shape of {name!r}, right is"
        about = "Names and shapes of weights are those that the page asks for."
        holds(got.get(name) == right.get(name), f"{said} {right.get(name)}.", about)
    begin = 0
    for name, shape in sorted(right.items()):
        size = int(np.prod(shape))
        wave = np.sin(np.arange(begin, begin + size) * 0.7).reshape(shape)
        model[name] = engine.leaf(0.5 * wave + ("norm" in name and name[-1] == "W"))
        begin += size
    return model


TOKENS = np.array([[0, 3, 6, 1, 3], [2, 2, 5, 4, 0]])
NEXT = np.array([[3, 6, 1, 3, 2], [2, 5, 4, 0, 1]])
TINY_LOSS = 3.591787  # by the library's GPT, as are the sums of the gradients' sizes
TINY_SLOPES = {
    "token": 12.4821,
    "place": 7.17773,
    "0.q.W": 1.60976,
    "1.out.W": 6.01736,
    "1.up.b": 1.02415,
    "0.norm1.W": 2.05079,
    "norm.b": 1.96456,
}


@accident(*GPT, "layer_norm")
def gpt_norm(engine: Engine) -> None:
    """A norm makes the mean 0 and the variance 1, but not of a row of equal numbers."""
    model = {"n.W": engine.leaf([1.0, 2.0]), "n.b": engine.leaf([0.0, 5.0])}
    x = np.array([[3.0, 1.0], [0.003, 0.001], [2.0, 2.0]])
    size = np.sqrt([1 + 1e-5, 1e-6 + 1e-5, 1e-5])
    z = np.array([1.0, 1e-3, 0.0]) / size
    right = np.stack([z, 5 - 2 * z], 1)
    near(engine.layer_norm(model, "n", engine.Tensor(x)), right, gpt_norm.about)


@accident(*GPT)
def gpt_leak(engine: Engine) -> None:
    """A place saw a later one: it learns to copy, and writes nonsense."""
    model, other = tiny(engine), TOKENS.copy()
    other[:, 3:] = 6 - other[:, 3:]
    before = plain(engine.gpt(model, TOKENS))
    after = plain(engine.gpt(model, other))
    moved = float(np.abs(before - after)[:, :3].max())
    said = f"Scores before the change moved by {moved:.3g}, right is 0."
    holds(moved < 1e-9, said, gpt_leak.about)
    moved = float(np.abs(before - after)[:, 3:].max())
    said = f"Scores after the change moved by {moved:.3g}, right is more."
    holds(moved > 1e-3, said, "Each place looks at itself and at all before.")


@accident(*GPT)
def gpt_loss(engine: Engine) -> None:
    """On the same weights, the loss and its slopes are the library's."""
    model = tiny(engine)
    loss = engine.cross_entropy(engine.gpt(model, TOKENS), NEXT)
    near(loss, TINY_LOSS, gpt_loss.about)
    loss.backward()
    for name, right in TINY_SLOPES.items():
        got = np.abs(plain(model[name].grad)).sum()
        near(got, right, f"{gpt_loss.about} It is the sum of sizes in {name}.", 1e-3)


@accident(*GPT)
def gpt_places(engine: Engine) -> None:
    """The same token at another place is another input: add the row of its place."""
    scores = plain(engine.gpt(tiny(engine), np.array([[3, 3, 3]])))[0]
    apart = float(np.abs(scores[0] - scores[2]).max())
    said = f"Scores at two places differ by {apart:.3g}, right is more."
    holds(apart > 1e-3, said, gpt_places.about)


@accident(*GPT)
def gpt_first_loss(engine: Engine) -> None:
    """First weights are small: 60 tokens, no knowledge, a loss near log 60 = 4.09."""
    rng = np.random.default_rng(0)
    model = engine.new_gpt(rng, 60, 16, 32)
    tokens = rng.integers(60, size=(4, 17))
    scores = engine.gpt(model, tokens[:, :-1])
    got = float(plain(engine.cross_entropy(scores, tokens[:, 1:])))
    said = f"Got {got:.3g}, right is between 4 and 4.5."
    holds(4.0 < got < 4.5, said, gpt_first_loss.about)
    types = {p.data.dtype.name for p in model.values()}
    holds(types == {"float32"}, f"Got {types}, right is float32.", "It is fast.")


@accident(*GPT)
def gpt_learns(engine: Engine) -> None:
    """Thirty steps on one text: the loss falls below a quarter of the first."""
    rng = np.random.default_rng(0)
    memory: dict[str, Any] = {}
    model = engine.new_gpt(rng, 7, 5, 16)
    losses = []
    for _ in range(30):
        loss = engine.cross_entropy(engine.gpt(model, TOKENS), NEXT)
        losses.append(float(plain(loss)))
        loss.backward()
        engine.adamw(model, memory, 0.03)
    said = f"Got {losses[-1]:.3g} after {losses[0]:.3g}, right is below 0.4."
    holds(losses[-1] < 0.4, said, gpt_learns.about)


@accident(*GPT, "write")
def gpt_writes(engine: Engine) -> None:
    """The model sees the last tokens that it has places for, and goes on."""
    model = tiny(engine)
    for name in ("norm.W", "norm.b"):  # so that one token is nearly certain
        model[name].data = 400.0 * plain(model[name])
    right = [0, 1, 2]
    for _ in range(9):
        scores = plain(engine.gpt(model, np.array([right[-5:]])))
        right.append(int(scores[0, -1].argmax()))
    begin = [0, 1, 2]
    text = engine.write(model, begin, 9, np.random.default_rng(0))
    near([int(token) for token in text], right, gpt_writes.about)
    said = f"Got {len(begin)} tokens in the caller's list, right is 3."
    holds(len(begin) == 3, said, "What is written goes into a list of its own.")
    words = "token", "empty", "prompt", "begin"
    rng, nothing = np.random.default_rng(0), "It has nothing to go on from: say so."
    refused(lambda: engine.write(model, [], 1, rng), words, nothing)


@accident(*GPT)
def gpt_lists(engine: Engine) -> None:
    """A list of tokens is one text, or is refused; so are more than it has places."""
    model = tiny(engine)
    right = plain(engine.gpt(model, np.array([[0, 3, 6]])))
    words = "array", "shape", "axes", "dimension", "text"
    about = gpt_lists.about
    right_or_refused(lambda: engine.gpt(model, [0, 3, 6]), right, words, about)
    long = np.zeros((1, 6), int)
    words = "index", "bounds", "place", "shape", "context"
    refused(lambda: engine.gpt(model, long), words, about)
    small = engine.new_gpt(np.random.default_rng(0), 7, 1, 8)
    refused(lambda: engine.gpt(small, [[0, 1]]), words, about)
