"""Options that strangers' models need, beside PyTorch: values, gradients, states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib import nn, optim
from autograd_lib.engine import Tensor
from autograd_lib.nn.attention import scaled_dot_product_attention

RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch", reason="PyTorch is not installed")


def both(torch: Any, a: Any) -> tuple[Tensor, Any]:
    return Tensor(a, requires_grad=True), torch.tensor(a, requires_grad=True)


def assert_same(y: Any, z: Any, *pairs: tuple[Tensor, Any]) -> None:
    """Compare two results, and the gradients of a weighted sum of each."""
    np.testing.assert_allclose(y.data, z.detach().numpy(), rtol=1e-5, atol=1e-6)
    assert y.dtype == z.detach().numpy().dtype
    w = np.random.default_rng(1).normal(size=y.shape).astype(y.dtype)
    (y * w).sum().backward()
    (z * z.new_tensor(w)).sum().backward()
    for mine, theirs in pairs:
        np.testing.assert_allclose(
            mine.grad.data, theirs.grad.numpy(), rtol=1e-4, atol=1e-6
        )


LABELS = np.array([0, 3, 1, 3, 2, -100])
SOFT = RNG.dirichlet(np.ones(4), 6)
WEIGHT = np.array([0.5, 1.0, 0.0, 2.0])
CROSS: list[tuple[Any, dict[str, Any]]] = [
    (LABELS, {"weight": WEIGHT, "ignore_index": -100}),
    (LABELS, {"weight": WEIGHT, "ignore_index": -100, "label_smoothing": 0.2}),
    (LABELS % 4, {"weight": WEIGHT, "label_smoothing": 0.2}),
    (LABELS, {"ignore_index": -100, "label_smoothing": 0.2}),
    (SOFT, {}),
    (SOFT, {"weight": WEIGHT}),
    (SOFT, {"weight": WEIGHT, "label_smoothing": 0.3}),
]


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize(("target", "options"), CROSS)
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_cross_entropy(
    torch: Any, target: Any, options: Any, reduction: str, dtype: str
) -> None:
    x = (RNG.normal(size=(6, 4)) * [1, 30, 1, 100]).astype(dtype)
    mine, theirs = both(torch, x)
    theirs_too = {
        k: theirs.new_tensor(v) if k == "weight" else v for k, v in options.items()
    }
    labels = target.astype(dtype) if target.dtype.kind == "f" else target
    assert_same(
        nn.cross_entropy(mine, labels, reduction=reduction, **options),
        torch.nn.functional.cross_entropy(
            theirs, torch.tensor(labels), reduction=reduction, **theirs_too
        ),
        (mine, theirs),
    )


@pytest.mark.parametrize("options", [{}, {"weight": WEIGHT}])
def test_nll_loss(torch: Any, options: Any) -> None:
    mine, theirs = both(torch, RNG.normal(size=(6, 4)))
    weight = {k: theirs.new_tensor(v) for k, v in options.items()}
    assert_same(
        nn.nll_loss(mine.log_softmax(), LABELS, ignore_index=-100, **options),
        torch.nn.functional.nll_loss(
            theirs.log_softmax(-1), torch.tensor(LABELS), ignore_index=-100, **weight
        ),
        (mine, theirs),
    )


@pytest.mark.parametrize("shape", [(2, 4, 4), (2, 4, 3), (2, 3, 3, 3), (2, 3, 5, 4)])
def test_pytorchs_layout_is_axis_1_and_never_guessed(torch: Any, shape: Any) -> None:
    mine, theirs = both(torch, RNG.normal(size=shape))
    labels = RNG.integers(0, shape[1], (shape[0], *shape[2:]))
    with pytest.raises(ValueError, match=r"write axis=-1 for the last, or axis=1 for"):
        nn.cross_entropy(mine, labels)
    cross_entropy = torch.nn.functional.cross_entropy
    assert_same(
        nn.cross_entropy(mine, labels, axis=1),
        cross_entropy(theirs, torch.tensor(labels)),
        (mine, theirs),
    )
    if shape[1] == shape[-1]:
        last = nn.cross_entropy(mine, labels, axis=-1)
        want = cross_entropy(theirs.moveaxis(-1, 1), torch.tensor(labels))
        assert last.item() == pytest.approx(want.item())
    shares = RNG.dirichlet(np.ones(shape[1]), (shape[0], *shape[2:]))
    shares = np.moveaxis(shares, -1, 1)
    with pytest.raises(ValueError, match="axis=1"):
        nn.cross_entropy(mine, shares)
    found = nn.cross_entropy(mine, shares, axis=1).item()
    assert found == pytest.approx(cross_entropy(theirs, torch.tensor(shares)).item())


def test_wrong_options_of_losses_say_what_fits() -> None:
    x = Tensor(np.zeros((2, 3)))
    for call, message in (
        (lambda: nn.cross_entropy(x, [0, 1], weight=[1.0, 2.0]), "each of the 3"),
        (lambda: nn.cross_entropy(x, [0, 1], weight=[1.0, 2.0, -1.0]), "at least 0"),
        (
            lambda: nn.cross_entropy(x, x.data + 0.5, ignore_index=-1),
            "floats are shares",
        ),
        (lambda: nn.nll_loss(x, [-1, -1], ignore_index=-1), "nll_loss: no row counts"),
        (
            lambda: nn.binary_cross_entropy_with_logits(x, x, pos_weight=np.ones(2)),
            r"pos_weight of shape \(2,\) does not broadcast to the scores",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize(
    "options",
    [
        {"pos_weight": np.array([1.0, 3.0, 0.5])},
        {"weight": np.array([[1.0], [0.5]])},
        {"weight": np.array([1.0, 2.0, 0.0]), "pos_weight": np.array([2.0])},
    ],
)
def test_weights_of_yes_and_no(torch: Any, options: Any, reduction: str) -> None:
    mine, theirs = both(torch, np.array([[0.0, 100.0, -100.0], [1.0, -2.0, 0.5]], "f"))
    t = np.array([[0.0, 0.4, 1.0], [1.0, 0.25, 0.0]], "f")
    assert_same(
        nn.binary_cross_entropy_with_logits(mine, t, reduction=reduction, **options),
        torch.nn.functional.binary_cross_entropy_with_logits(
            theirs,
            torch.tensor(t),
            reduction=reduction,
            **{k: theirs.new_tensor(v) for k, v in options.items()},
        ),
        (mine, theirs),
    )


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_relatives_of_relu(torch: Any, dtype: str) -> None:
    a = np.array([-100.0, -1.5, -1e-3, 0.0, 1e-3, 2.0, 100.0], dtype)
    F = torch.nn.functional
    for ours, its in (
        (nn.leaky_relu, F.leaky_relu),
        (lambda x: nn.leaky_relu(x, 0.2), lambda x: F.leaky_relu(x, 0.2)),
        (nn.elu, F.elu),
        (lambda x: nn.elu(x, 0.3), lambda x: F.elu(x, 0.3)),
        (nn.LeakyReLU(0.3), torch.nn.LeakyReLU(0.3)),
        (nn.ELU(2.0), torch.nn.ELU(2.0)),
    ):
        mine, theirs = both(torch, a)
        assert_same(ours(mine), its(theirs), (mine, theirs))
    assert repr(nn.Sequential(nn.ELU(2.0), nn.LeakyReLU())).count("(2)") == 1


def loaded(model: nn.Module, theirs: Any) -> nn.Module:
    state = {k: v.numpy() for k, v in theirs.state_dict().items()}
    own = model.state_dict()
    model.load_state_dict({k: v for k, v in state.items() if k in own})
    return model


@pytest.mark.parametrize(
    ("options", "shape"),
    [
        ({"affine": False}, (6, 3)),
        ({"momentum": None}, (6, 3, 4)),
        ({"track_running_stats": False}, (6, 3)),
        ({"affine": False, "track_running_stats": False}, (4, 3, 2)),
    ],
)
def test_batch_norm(torch: Any, options: Any, shape: Any) -> None:
    ours, theirs = nn.BatchNorm(3, **options), torch.nn.BatchNorm1d(3, **options)
    for _ in range(3):
        mine, its = both(torch, RNG.normal(2, 3, size=shape).astype("f"))
        assert_same(ours(mine), theirs(its), (mine, its))
    ours.eval(), theirs.eval()
    mine, its = both(torch, RNG.normal(2, 3, size=shape).astype("f"))
    assert_same(ours(mine), theirs(its), (mine, its))
    state = {k: v.numpy() for k, v in theirs.state_dict().items()}
    for name, kept in ours.state_dict().items():
        np.testing.assert_allclose(kept, state[name], rtol=1e-5)
    assert all(f"{k}=False" in repr(ours) for k, v in options.items() if v is False)


@pytest.mark.parametrize(
    "options", [{"elementwise_affine": False}, {"bias": False}, {}]
)
def test_layer_norm_over_several_axes(torch: Any, options: Any) -> None:
    ours = nn.LayerNorm([3, 4], 1e-3, **options)
    theirs = torch.nn.LayerNorm([3, 4], 1e-3, **options)
    mine, its = both(torch, RNG.normal(size=(2, 3, 4)).astype("f"))
    pairs = [(mine, its), *zip(ours.parameters(), theirs.parameters(), strict=True)]
    assert_same(ours(mine), theirs(its), *pairs)
    assert list(ours.state_dict()) == list(theirs.state_dict())


REAL = np.array([[True] * 5, [True, True, True, False, False]])


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"key_padding_mask": ~REAL},
        {"attn_mask": np.triu(np.ones((5, 5), bool), 1)},
        {
            "attn_mask": np.triu(np.ones((5, 5), bool), 1),
            "key_padding_mask": ~REAL,
            "average_attn_weights": False,
        },
        {"attn_mask": RNG.normal(size=(6, 5, 5)).astype("f")},
        {"need_weights": False},
    ],
)
def test_multihead_attention(torch: Any, batch_first: bool, options: Any) -> None:
    theirs = torch.nn.MultiheadAttention(6, 3, batch_first=batch_first)
    theirs.in_proj_bias.data.normal_()
    ours = loaded(nn.MultiheadAttention(6, 3, batch_first=batch_first), theirs)
    a = RNG.normal(size=(2, 5, 6)).astype("f")
    mine, its = both(torch, a if batch_first else a.swapaxes(0, 1).copy())
    more = {
        k: torch.tensor(v) if isinstance(v, np.ndarray) else v
        for k, v in options.items()
    }
    y, weights = ours(mine, mine, mine, **options)
    z, its_weights = theirs(its, its, its, **more)
    pairs = [(mine, its)]
    names = dict(theirs.named_parameters())
    pairs += [(p, names[name]) for name, p in ours.named_parameters()]
    assert len(pairs) == 5
    assert_same(y, z, *pairs)
    assert (weights is None) == (its_weights is None)
    if weights is not None:
        np.testing.assert_allclose(
            weights.data, its_weights.detach().numpy(), rtol=1e-5, atol=1e-6
        )


def test_attention_of_one_sequence_to_another(torch: Any) -> None:
    theirs = torch.nn.MultiheadAttention(6, 2, bias=False, batch_first=True)
    ours = loaded(nn.MultiheadAttention(6, 2, False, batch_first=True), theirs)
    q, k = (RNG.normal(size=(2, n, 6)).astype("f") for n in (3, 5))
    (mine, its), (other, its_other) = both(torch, q), both(torch, k)
    assert_same(
        ours(mine, other, other)[0],
        theirs(its, its_other, its_other)[0],
        (mine, its),
        (other, its_other),
    )
    with pytest.raises(ValueError, match=r"MultiheadAttention\(6, 2, batch_first=Tr"):
        ours(mine[0], mine[0], mine[0])


def test_a_block_that_is_not_causal_is_pytorchs_layer_of_an_encoder(torch: Any) -> None:
    def gelu(x: Any) -> Any:
        return torch.nn.functional.gelu(x, approximate="tanh")

    theirs = torch.nn.TransformerEncoderLayer(
        8, 2, 32, 0.0, gelu, norm_first=True, batch_first=True
    )
    names = {
        "norm1": "norm1",
        "norm2": "norm2",
        "attention.in_proj.": "self_attn.in_proj_",
        "attention.out_proj": "self_attn.out_proj",
        "network.0": "linear1",
        "network.2": "linear2",
    }
    block, its = nn.Block(8, 2, causal=False), theirs.state_dict()
    state = {}
    for name in block.state_dict():
        old = next(n for n in names if name.startswith(n))
        state[name] = its[name.replace(old, names[old])].numpy()
    block.load_state_dict(state)
    mine, its_x = both(torch, RNG.normal(size=(2, 5, 8)).astype("f"))
    y = block(mine, REAL[:, None, None, :])
    z = theirs(its_x, src_key_padding_mask=torch.tensor(~REAL))
    shown = Tensor(REAL[:, :, None])
    assert_same(y * shown, z * torch.tensor(REAL[:, :, None]), (mine, its_x))


def test_the_first_place_of_a_block_sees_the_last_unless_it_is_causal() -> None:
    x = RNG.normal(size=(1, 4, 8)).astype("f")
    other = x.copy()
    other[0, 3] = -x[0, 3]  # what is added to all features is taken off by LayerNorm
    for causal in (True, False):
        block = nn.Block(8, 2, causal, rng=0)
        moved = np.abs(block(x).data - block(other).data)[0, 0].max()
        assert moved == 0 if causal else moved > 1e-3


def test_a_mask_of_attention_is_where_or_what_is_added() -> None:
    q, k, v = (Tensor(RNG.normal(size=(2, 3, n, 4))) for n in (5, 6, 6))
    mask = RNG.random((2, 1, 5, 6)) < 0.7
    mask[..., 0] = True
    where = scaled_dot_product_attention(q, k, v, attn_mask=mask)
    add = scaled_dot_product_attention(q, k, v, attn_mask=np.where(mask, 0, -np.inf))
    np.testing.assert_allclose(where.data, add.data)
    with pytest.raises(ValueError, match=r"attn_mask of shape \(4, 4\) does not broad"):
        scaled_dot_product_attention(q, k, v, attn_mask=np.ones((4, 4), bool))


def test_a_schedule_goes_on_where_it_was() -> None:
    def made() -> tuple[Any, Any]:
        groups = [
            {"params": [Tensor([1.0], True)]},
            {"params": [Tensor([2.0], True)], "lr": 0.5},
        ]
        opt = optim.SGD(groups, lr=0.1)
        return opt, optim.LambdaLR(opt, optim.warmup_cosine(3, 10))

    opt, schedule = made()
    for _ in range(5):
        schedule.step()
    again, resumed = made()
    resumed.load_state_dict(schedule.state_dict())
    assert again.rates() == opt.rates()
    resumed.step(), schedule.step()
    assert (again.rates(), resumed.steps) == (opt.rates(), 6)
    bad = schedule.state_dict() | {"steps": np.array(-1)}
    with pytest.raises(ValueError, match="steps are counted from 0, got -1"):
        resumed.load_state_dict(bad)
    with pytest.raises(ValueError, match="LambdaLR: the state does not fit: missing b"):
        resumed.load_state_dict({"steps": np.array(1)})
    assert (again.rates(), resumed.steps) == (opt.rates(), 6)
