"""The GPT of the reader's engine is the library's, and its kept weights predict."""

from __future__ import annotations

import numpy as np
import pytest

import autograd_lib.small.gpt as small
from autograd_lib.nn.gpt import GPT
from autograd_lib.small.accidents.bench import Engine
from autograd_lib.small.accidents.models import NEXT, TINY_LOSS, TINY_SLOPES, TOKENS
from autograd_lib.small.accidents.models import tiny as tiny_weights
from autograd_lib.small.kept import kept_gpt, kept_losses, kept_runs, same_weights
from autograd_lib.text import Alphabet, book_text

HELD_OUT = 16_640  # characters at the end of the text, from which it did not learn


def placed(weights: dict[str, small.Tensor]) -> GPT:
    """Return the library's GPT with these weights."""
    model = GPT(7, 5, 8, 4, 2)
    found = {
        "token": model.embedding.weight,
        "place": model.position.weight,
        "norm.W": model.norm.weight,
        "norm.b": model.norm.bias,
    }
    for i, block in enumerate(model.blocks):
        for kind in "Wb":
            parts = [weights[f"{i}.{part}.{kind}"].data for part in "qkv"]
            projection = block.attention.in_proj
            target = projection.weight if kind == "W" else projection.bias
            rows = [part.T for part in parts]
            target.data = np.concatenate(rows).astype(np.float32)
        layers = {
            "out": block.attention.out_proj,
            "up": block.network[0],
            "down": block.network[2],
            "norm1": block.norm1,
            "norm2": block.norm2,
        }
        for name, layer in layers.items():
            found[f"{i}.{name}.W"] = layer.weight
            found[f"{i}.{name}.b"] = layer.bias
    for name, parameter in found.items():
        array = weights[name].data.astype(np.float32)
        parameter.data = array if name in ("token", "place") else array.T
    return model


def test_the_numbers_of_the_accidents_are_the_librarys() -> None:
    weights = tiny_weights(Engine(small))
    model = placed(weights)
    loss = model(TOKENS).cross_entropy(NEXT)
    loss.backward()
    assert loss.item() == pytest.approx(TINY_LOSS, rel=1e-5)
    block = model.blocks[1]
    found = {
        "token": model.embedding.weight,
        "place": model.position.weight,
        "1.out.W": block.attention.out_proj.weight,
        "1.up.b": block.network[0].bias,
        "0.norm1.W": model.blocks[0].norm1.weight,
        "norm.b": model.norm.bias,
    }
    for name, parameter in found.items():
        size = np.abs(parameter.grad.data).sum()
        assert size == pytest.approx(TINY_SLOPES[name], rel=1e-4), name


def test_the_kept_weights_predict_the_text_of_this_edition() -> None:
    """After a new text, `python -m benchmarks.small_trained --keep` makes them anew."""
    text = book_text()
    alphabet = Alphabet(text)
    model, (losses, held_out) = kept_gpt(small), kept_losses()
    assert losses.shape == (40,) and losses[-1] < 1.35 < 2.0 < losses[0]
    pieces = alphabet.encode(text[-HELD_OUT:]).reshape(-1, 65)
    with small.no_grad():
        scores = small.gpt(model, pieces[:, :-1]).data[:, 48:]
    loss = small.cross_entropy(small.Tensor(scores), pieces[:, 49:]).item()
    assert held_out < 1.45
    assert loss == pytest.approx(held_out, abs=0.03)


def test_both_engines_reached_the_same_from_each_seed() -> None:
    runs = kept_runs()
    assert {name: rows.shape for name, rows in runs.items()} == {
        "library": (3, 6),
        "small": (3, 6),
    }
    np.testing.assert_allclose(runs["small"][:, :5], runs["library"][:, :5], atol=2e-4)
    assert runs["small"][0, 4] == kept_losses()[1]
    assert (np.diff(runs["small"][:, :4]) < 0).all()


def test_the_librarys_weights_give_the_librarys_loss() -> None:
    model = GPT(7, 5, 8, 4, 2, rng=1)
    ours = same_weights(model, small)
    assert {p.shape for p in ours.values()} == {
        p.shape for p in small.new_gpt(np.random.default_rng(0), 7, 5, 8).values()
    }
    loss = small.cross_entropy(small.gpt(ours, TOKENS), NEXT).item()
    assert loss == pytest.approx(model(TOKENS).cross_entropy(NEXT).item(), rel=1e-5)


def test_it_writes() -> None:
    alphabet = Alphabet(book_text())
    begin = list(alphabet.encode("The gradient of"))
    rng = np.random.default_rng(0)
    written = alphabet.decode(small.write(kept_gpt(small), begin, 40, rng))
    assert written.startswith("The gradient of") and len(written) == 55
    assert {type(p.data) for p in kept_gpt(small).values()} == {np.ndarray}
