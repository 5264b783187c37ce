"""What heads look at, models with fewer parts, and what a model says of a text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograd_lib.small.gpt as small
from autograd_lib.book.heads import attended, block_drawn, heads_drawn, pairs_drawn
from autograd_lib.book.stacks import PARTS, chances_of, with_parts

TOKENS = np.random.default_rng(0).integers(7, size=61)


@pytest.fixture
def model() -> dict[str, Any]:
    return small.new_gpt(np.random.default_rng(1), 7, 5, 8)


def test_shares_are_those_of_each_block_and_the_engine_is_as_before(
    model: dict[str, Any],
) -> None:
    before = small.softmax
    blocks = attended(small, model, TOKENS[:5])
    assert small.softmax is before
    assert [shares.shape for shares in blocks] == [(1, 4, 5, 5)] * 2
    for shares in blocks:
        np.testing.assert_allclose(shares.sum(-1), 1.0, rtol=1e-6)
        assert not np.triu(shares, 1).any()
    with pytest.raises(IndexError):
        attended(small, model, [9])
    assert small.softmax is before


def test_drawings_say_what_they_show() -> None:
    shares = {"one": np.eye(3), "two": np.tri(3) / 3}
    drawn = heads_drawn(shares, "a\n ", "Two heads", "Two squares of three places")
    assert repr(drawn) == "[figure: Two squares of three places]"
    assert "q and k make scores" in repr(block_drawn())
    table = pairs_drawn(np.eye(3), "\nab", "A table", "A square of three by three")
    assert repr(table) == "[figure: A square of three by three]"


def test_with_all_parts_it_is_the_whole(model: dict[str, Any]) -> None:
    whole = small.gpt(model, TOKENS[:5]).data
    before = small.gpt, small.heads
    with with_parts(small, len(PARTS)) as needed:
        assert needed(model) == model
        np.testing.assert_allclose(small.gpt(model, TOKENS[:5]).data, whole)
    assert (small.gpt, small.heads) == before


@pytest.mark.parametrize("number", range(1, len(PARTS) + 1))
def test_a_model_of_fewer_parts_has_what_it_needs(
    number: int, model: dict[str, Any]
) -> None:
    before = small.gpt, small.heads
    with with_parts(small, number) as needed:
        kept = needed(model)
        assert small.heads == (1 if number == 1 else 4)
        small.cross_entropy(small.gpt(kept, TOKENS[:5]), TOKENS[None, 1:6]).backward()
    assert {name for name, p in kept.items() if p.grad is None} <= {"norm.b"}
    assert any("up" in name for name in kept) == (number > 2)
    assert any("norm" in name for name in kept) == (number > 4)
    assert (small.gpt, small.heads) == before


def test_an_error_inside_leaves_the_engine_as_it_was() -> None:
    before = small.gpt, small.heads
    with pytest.raises(KeyError), with_parts(small, 1):
        small.gpt({}, [0])
    assert (small.gpt, small.heads) == before


@pytest.mark.parametrize("last", [1, 5])
def test_chances_are_those_of_the_tokens_that_came(
    last: int, model: dict[str, Any]
) -> None:
    found = chances_of(small, model, TOKENS, 50, last)
    assert found.shape == (50,)
    for i in range(50):
        begin = 11 + i // last * last + last - 6
        scores = small.gpt(model, TOKENS[begin : begin + 5]).data[0]
        p = np.exp(scores[i % last - last]) / np.exp(scores[i % last - last]).sum()
        assert found[i] == pytest.approx(p[TOKENS[11 + i]], rel=1e-5)
