"""Names of random numbers that the package does not have, and how a hint is tried."""

from __future__ import annotations

from typing import Any

from tests.library.hints.hint import Hint, hint

RNG = "rng = np.random.default_rng(0)"


def drawn(ours: str, theirs: str, *before: str, **given: Any) -> Hint:
    return hint(*before, RNG, ours, torch=theirs, kind=True, **given)


def exists(*code: str, holds: str = "callable(r)", **given: Any) -> Hint:
    return hint(*code, holds=holds, **given)


DRAWN: dict[str, Hint] = {
    "bernoulli": drawn(
        "ag.tensor(rng.random(p.shape) < p.data, dtype=p.dtype)",
        "torch.bernoulli(p)",
        p=[0.25, 0.5, 1.0],
    ),
    "normal": drawn(
        "ag.tensor(rng.normal(mean, std, size=shape), dtype=np.float32)",
        "torch.normal(mean, std, shape)",
        "mean + std * noise",
        noise=0.0,
        mean=0.5,
        std=2.0,
        shape=(2, 3),
    ),
    "rand": drawn(
        "ag.tensor(rng.random(shape, np.float32))", "torch.rand(shape)", shape=(2, 3)
    ),
    "rand_like": drawn(
        "ag.tensor(rng.random(t.shape), dtype=t.dtype)", "torch.rand_like(t)"
    ),
    "randint": drawn(
        "ag.tensor(rng.integers(low, high, size=shape))",
        "torch.randint(low, high, shape)",
        low=0,
        high=5,
        shape=(2, 3),
    ),
    "randn": drawn(
        "ag.tensor(rng.normal(size=shape), dtype=np.float32)",
        "torch.randn(shape)",
        shape=(2, 3),
    ),
    "randn_like": drawn(
        "ag.tensor(rng.normal(size=t.shape), dtype=t.dtype)", "torch.randn_like(t)"
    ),
    "randperm": drawn("ag.tensor(rng.permutation(n))", "torch.randperm(n)", n=4),
}
