"""Attention, blocks and the GPT: against loops, PyTorch and what must not happen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from autograd_lib.check import gradcheck, gradgradcheck
from autograd_lib.engine import Tensor, grad
from autograd_lib.nn.attention import (
    CausalSelfAttention,
    attention_weights,
    scaled_dot_product_attention,
)
from autograd_lib.nn.gpt import GPT, Block, chances

RNG = np.random.default_rng(0)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


def small(**changed: Any) -> GPT:
    sizes = {"tokens": 7, "context": 5, "embed_dim": 8, "num_heads": 2} | changed
    return GPT(**sizes, rng=0)


def by_loops(q: Any, k: Any, v: Any, is_causal: bool) -> np.ndarray:
    out = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        seen = range(i + 1 if is_causal else len(k))
        fits = [math.exp(q[i] @ k[j] / math.sqrt(q.shape[1])) for j in seen]
        out[i] = sum(f / sum(fits) * v[j] for j, f in zip(seen, fits, strict=True))
    return out


@pytest.mark.parametrize("is_causal", [False, True])
def test_attention_is_the_mean_that_loops_take(is_causal: bool) -> None:
    q, k, v = normal(4, 3), normal(4, 3), normal(4, 2)
    found = scaled_dot_product_attention(Tensor(q), Tensor(k), Tensor(v), is_causal)
    np.testing.assert_allclose(found.data, by_loops(q, k, v, is_causal), rtol=1e-12)


def test_attention_of_large_scores_is_finite() -> None:
    q = Tensor(1e4 * normal(3, 2), requires_grad=True)
    found = scaled_dot_product_attention(q, q, q, is_causal=True)
    assert np.isfinite(found.data).all()
    assert np.isfinite(grad(found.sum(), q)[0].data).all()


@pytest.mark.parametrize("is_causal", [False, True])
def test_attention_has_first_and_second_derivatives(is_causal: bool) -> None:
    inputs = [Tensor(normal(2, 4, 3), requires_grad=True) for _ in range(3)]

    def attend(*qkv: Any) -> Any:
        return scaled_dot_product_attention(*qkv, is_causal=is_causal)

    assert gradcheck(attend, *inputs)
    assert gradgradcheck(attend, *inputs)


def test_no_place_depends_on_a_later_one() -> None:
    layer = CausalSelfAttention(8, 2, rng=0, dtype=float)
    x = Tensor(normal(1, 6, 8), requires_grad=True)
    y = layer(x)
    for i in range(6):
        (slopes,) = grad(y[0, i].sum(), x, retain_graph=True)
        assert slopes.data[0, : i + 1].any(axis=1).all()
        assert not slopes.data[0, i + 1 :].any()


def test_weights_are_rows_that_sum_to_one_without_later_places() -> None:
    weights = CausalSelfAttention(8, 4, rng=0).weights(normal(3, 5, 8).astype("f")).data
    assert weights.shape == (3, 4, 5, 5)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-6)
    assert not np.triu(weights, 1).any()


def test_scores_after_a_place_do_not_change_with_what_follows() -> None:
    model = small()
    text = np.array([[1, 2, 3, 4, 5]])
    other = text.copy()
    other[0, 3:] = 0
    before, after = model(text).data, model(other).data
    np.testing.assert_allclose(before[:, :3], after[:, :3], atol=1e-6)
    assert np.abs(before[:, 3:] - after[:, 3:]).max() > 1e-3


def test_one_matrix_reads_and_writes() -> None:
    model = small()
    names = dict(model.named_parameters())
    assert names["embedding.weight"] is model.embedding.weight
    assert sum(p.shape == (7, 8) for p in names.values()) == 1
    rows, text = model.embedding.weight, [[1, 1, 2]]
    path = model.embed(text)
    for block in model.blocks:
        path = block(path)
    path = model.norm(path)
    target = np.array([[1, 2, 3]])
    (both,) = grad(model(text).cross_entropy(target), rows)
    (reading,) = grad((path @ rows.detach().T).cross_entropy(target), rows)
    (writing,) = grad((path.detach() @ rows.T).cross_entropy(target), rows)
    np.testing.assert_allclose(both.data, reading.data + writing.data, atol=1e-6)


def test_the_first_loss_is_near_that_of_knowing_nothing() -> None:
    tokens = RNG.integers(82, size=(8, 65))
    model = GPT(82, 64, rng=0)
    loss = model(tokens[:, :-1]).cross_entropy(tokens[:, 1:]).item()
    assert abs(loss - math.log(82)) < 0.3


def test_the_same_seed_gives_the_same_model_and_the_same_text() -> None:
    one, other = small(), small()
    for name, array in one.state_dict().items():
        np.testing.assert_array_equal(array, other.state_dict()[name], err_msg=name)
    texts = [m.generate([1, 2], 20, rng=3) for m in (one, other)]
    np.testing.assert_array_equal(*texts)


def test_writing_goes_beyond_the_context_and_records_nothing() -> None:
    model = small()
    text = model.generate([1, 2], 20, rng=0)
    assert text.shape == (22,)
    assert text[:2].tolist() == [1, 2]
    assert text.dtype.kind == "i"
    assert all(p.grad is None for p in model.parameters())
    assert model.generate([1, 2], 0).tolist() == [1, 2]


def test_temperature_nought_takes_the_likeliest_each_time() -> None:
    model = small()
    text = [3]
    for _ in range(6):
        text.append(int(model([text[-5:]]).data[0, -1].argmax()))
    assert model.generate([3], 6, temperature=0).tolist() == text
    assert model.generate([3], 6, top_k=1, rng=0).tolist() == text


SCORES = [1.0, 3.0, 2.0, -4.0]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_chances_are_a_softmax_of_scores_over_temperature(temperature: float) -> None:
    e = np.exp(np.array(SCORES) / temperature)
    np.testing.assert_allclose(chances(SCORES, temperature), e / e.sum(), rtol=1e-12)


def test_chances_of_the_extremes() -> None:
    assert chances(SCORES, 0).tolist() == [0, 1, 0, 0]
    assert chances(SCORES, 1e-320).tolist() == [0, 1, 0, 0]
    assert np.count_nonzero(chances(SCORES, 1, top_k=2)) == 2
    assert np.count_nonzero(chances(SCORES, 1, top_k=99)) == 4
    assert chances([1e30, 0.0], 1.0).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda m: m([[0] * 6]), ValueError, r"got 6 places.*positions for 5.*-5:"),
        (lambda m: m([1, 2]), ValueError, r"shape \(batch, places\), got \(2,\)"),
        (lambda m: m(np.zeros((1, 0), int)), ValueError, "not empty"),
        (lambda m: m([[0, 7]]), IndexError, "rows are 0 to 6"),
        (lambda m: m([[0.5]]), TypeError, "whole numbers"),
        (lambda m: m.generate([], 3), ValueError, "at least one token"),
        (lambda m: m.generate([[1]], 3), ValueError, "at least one token"),
        (lambda m: m.generate([1.5], 3), TypeError, "whole numbers"),
        (lambda m: m.generate([7], 3), IndexError, "rows are 0 to 6"),
        (lambda m: m.generate([1], -1), ValueError, "length must be at least 0"),
        (lambda m: m.generate([1], 3, -0.5), ValueError, "temperature must be"),
        (lambda m: m.generate([1], 3, math.nan), ValueError, "temperature must be"),
        (lambda m: m.generate([1], 3, "hot"), TypeError, "temperature must be"),
        (lambda m: m.generate([1], 3, top_k=0), ValueError, "top_k must be"),
        (lambda m: m.generate([1], 3, rng="x"), TypeError, "rng is a seed"),
    ],
)
def test_bad_input_is_explained(call: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        call(small())


def test_a_model_that_became_nan_does_not_write_nonsense() -> None:
    model = small()
    model.norm.weight.data[0] = math.nan
    with pytest.raises(ValueError, match="scores are nan"):
        model.generate([1], 3)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: CausalSelfAttention(8, 3), "does not divide into num_heads=3"),
        (lambda: CausalSelfAttention(8, 2)(normal(5, 8)), r"got \(5, 8\)"),
        (lambda: CausalSelfAttention(8, 2)(normal(1, 5, 6)), r"\(batch, places, 8\)"),
        (lambda: attention_weights(normal(4, 3), normal(4, 2)), "do not fit"),
        (
            lambda: scaled_dot_product_attention(
                normal(4, 3), normal(4, 3), normal(5, 2)
            ),
            "do not fit",
        ),
        (lambda: GPT(0, 5), "num_embeddings"),
        (lambda: GPT(5, 0), "context"),
        (lambda: GPT(5, 5, depth=0), "depth"),
    ],
)
def test_sizes_that_do_not_fit_are_explained(call: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()


def test_a_block_learns_to_copy_the_token_before() -> None:
    """What attention is for: the token before is nowhere but at its place."""
    model = GPT(4, 8, 16, 2, 1, rng=0)
    rng, parameters = np.random.default_rng(1), list(model.parameters())
    for _ in range(150):
        text = rng.integers(4, size=(16, 8))
        wanted = np.roll(text, 1, axis=1)
        loss = model(text)[:, 1:].cross_entropy(wanted[:, 1:])
        for p, g in zip(parameters, grad(loss, parameters), strict=True):
            p.data -= 0.5 * g.data
    assert loss.item() < 0.3


# Against PyTorch


def torch_block(torch: Any, block: Block) -> Any:
    """Return PyTorch's encoder layer with the weights of `block`."""
    f = torch.nn.functional
    theirs = torch.nn.TransformerEncoderLayer(
        block.attention.embed_dim,
        block.attention.num_heads,
        dim_feedforward=block.network[0].out_features,
        dropout=0.0,
        activation=lambda x: f.gelu(x, approximate="tanh"),
        batch_first=True,
        norm_first=True,
        dtype=torch.float64,
    )
    ours = {
        "self_attn.in_proj_weight": block.attention.in_proj.weight,
        "self_attn.in_proj_bias": block.attention.in_proj.bias,
        "self_attn.out_proj.weight": block.attention.out_proj.weight,
        "self_attn.out_proj.bias": block.attention.out_proj.bias,
        "linear1.weight": block.network[0].weight,
        "linear1.bias": block.network[0].bias,
        "linear2.weight": block.network[2].weight,
        "linear2.bias": block.network[2].bias,
        "norm1.weight": block.norm1.weight,
        "norm1.bias": block.norm1.bias,
        "norm2.weight": block.norm2.weight,
        "norm2.bias": block.norm2.bias,
    }
    theirs.load_state_dict({k: torch.tensor(t.data) for k, t in ours.items()})
    return theirs, ours


def test_scores_and_gradients_are_those_of_pytorchs_modules() -> None:
    torch = pytest.importorskip("torch")
    model = GPT(11, 6, 8, 2, 2, rng=0)
    for p in model.parameters():  # biases and norms too are to be any numbers
        p.data += 0.1 * normal(*p.shape).astype(np.float32)
    text, wanted = RNG.integers(11, size=(2, 3, 6))
    loss = model(text).cross_entropy(wanted)
    loss.backward()

    embedding = torch.tensor(model.embedding.weight.data, requires_grad=True)
    position = torch.tensor(model.position.weight.data, requires_grad=True)
    norm = torch.nn.LayerNorm(8)
    norm.load_state_dict(
        {
            "weight": torch.tensor(model.norm.weight.data),
            "bias": torch.tensor(model.norm.bias.data),
        }
    )
    blocks = [torch_block(torch, block) for block in model.blocks]
    later = torch.nn.Transformer.generate_square_subsequent_mask(6)
    x = torch.nn.functional.embedding(torch.tensor(text), embedding) + position
    for theirs, _ in blocks:
        x = theirs.float()(x, src_mask=later, is_causal=True)
    scores = norm(x) @ embedding.T
    theirs_loss = torch.nn.functional.cross_entropy(
        scores.flatten(0, 1), torch.tensor(wanted).flatten()
    )
    theirs_loss.backward()

    close = {"rtol": 1e-5, "atol": 1e-5}
    np.testing.assert_allclose(model(text).data, scores.detach().numpy(), **close)
    pairs = [
        (model.embedding.weight, embedding),
        (model.position.weight, position),
        (model.norm.weight, norm.weight),
        (model.norm.bias, norm.bias),
    ]
    for theirs, ours in blocks:
        named = dict(theirs.named_parameters())
        pairs += [(tensor, named[name]) for name, tensor in ours.items()]
    assert len(pairs) == len(list(model.parameters()))
    for mine, other in pairs:
        np.testing.assert_allclose(mine.grad.data, other.grad.numpy(), **close)


@pytest.mark.parametrize("is_causal", [False, True])
def test_attention_is_pytorchs(is_causal: bool) -> None:
    torch = pytest.importorskip("torch")
    arrays = [normal(2, 3, 5, 4) for _ in range(3)]
    ours = [Tensor(a, requires_grad=True) for a in arrays]
    theirs = [torch.tensor(a, requires_grad=True) for a in arrays]
    f = torch.nn.functional.scaled_dot_product_attention
    mine = scaled_dot_product_attention(*ours, is_causal=is_causal)
    other = f(*theirs, is_causal=is_causal)
    np.testing.assert_allclose(mine.data, other.detach().numpy(), atol=1e-12)
    (mine**2).sum().backward()
    (other**2).sum().backward()
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a.grad.data, b.grad.numpy(), atol=1e-12)
