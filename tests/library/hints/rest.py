"""Names of optimisers, of initial weights, of modules and of keywords."""

from __future__ import annotations

from typing import Any

from tests.library.hints.drawn import RNG, exists
from tests.library.hints.hint import Hint, hint
from tests.library.hints.tensors import VALUES

MODEL = "model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())"
OPT = (
    "w = nn.Parameter(np.ones(2)); params = [w]; optimizer = optim.SGD(params, lr=0.5)"
)
TORCH_OPT = (
    "w = torch.ones(2, requires_grad=True); optimizer = torch.optim.SGD([w], 0.5)"
)


def schedule(ours: str, theirs: str, **given: Any) -> Hint:
    """Return the case of a schedule: the rates of seven steps."""
    rates = "[(optimizer.param_groups[0]['lr'], result.step())[0] for _ in range(7)]"
    return hint(
        ours,
        before=OPT,
        torch=f"{TORCH_OPT}; optimizer.step()\n"
        f"result = torch.optim.lr_scheduler.{theirs}",
        then=rates,
        **given,
    )


OPTIMISERS: dict[str, Hint] = {
    "Adagrad": exists("optim.Optimizer"),
    "CosineAnnealingLR": schedule(
        "optim.LambdaLR(optimizer, optim.warmup_cosine(0, steps))",
        "CosineAnnealingLR(optimizer, steps)",
        steps=10,
    ),
    "ExponentialLR": schedule(
        "optim.LambdaLR(optimizer, lambda step: gamma**step)",
        "ExponentialLR(optimizer, gamma)",
        gamma=0.9,
    ),
    "RMSprop": exists("optim.Optimizer"),
    "StepLR": schedule(
        "optim.LambdaLR(optimizer, lambda step: gamma ** (step // step_size))",
        "StepLR(optimizer, step_size, gamma)",
        gamma=0.5,
        step_size=3,
    ),
    "clip_grad_norm_": hint(
        "optim.clip_grad_norm(parameters, most)",
        before="(1e3 * x * x).sum().backward(); parameters = [x]",
        torch="(1e3 * x * x).sum().backward()\n"
        "n = torch.nn.utils.clip_grad_norm_([x], most)",
        then="x.grad",
        most=1.0,
    ),
    "clip_grad_value_": hint(
        "p.grad = p.grad.clip(-most, most)",
        before="(p * p).sum().backward()",
        torch="(p * p).sum().backward(); torch.nn.utils.clip_grad_value_([p], most)",
        then="p.grad",
        most=1.0,
        p=VALUES,
    ),
    "lr_scheduler": exists(
        "optimizer.lr = rate",
        "optim.LambdaLR(optimizer, optim.warmup_cosine(50, steps))",
        before=OPT,
        holds="r.steps == 0",
        rate=0.25,
        steps=100,
    ),
    "LBFGS": exists(
        "scipy.optimize.minimize(ag.value_and_grad(f), start, jac=True)",
        before="import pytest; import sys; "
        "scipy = pytest.importorskip('scipy'); import scipy.optimize; "
        "f = lambda x: ((x - 3) ** 2).sum(); start = np.zeros(2)",
        holds="abs(r.x - 3).max() < 1e-5",
    ),
}
for name in ("ASGD", "Adadelta", "Adamax", "Muon", "NAdam", "RAdam", "Rprop"):
    OPTIMISERS[name] = hint()
REST = {("autograd_lib.optim", name): case for name, case in OPTIMISERS.items()}


def fills(
    ours: str, theirs: str, *before: str, kind: bool = False, **given: Any
) -> Hint:
    return hint(
        *before,
        ours,
        torch=f"p = torch.nn.init.{theirs}",
        then="p.detach()",
        kind=kind,
        **given,
    )


INITS: dict[str, Hint] = {
    "constant_": fills(
        "p.data[...] = number", "constant_(p.detach(), number)", number=0.5, p=VALUES
    ),
    "dirac_": hint("p.data[...] = numbers", holds="r is None", p=VALUES, numbers=1.0),
    "sparse_": hint("p.data[...] = numbers", holds="r is None", p=VALUES, numbers=1.0),
    "eye_": fills(
        "p.data[...] = np.eye(n)", "eye_(p.detach())", n=3, p=[[1.0] * 3] * 3
    ),
    "orthogonal_": hint(
        RNG,
        "p.data[...] = np.linalg.qr(rng.normal(size=p.shape))[0]",
        before="p = 1 * p",
        torch="p = torch.nn.init.orthogonal_(p.detach())",
        then="p",
        kind=True,
        holds="abs(r.data.T @ r.data - np.eye(2)).max() < 1e-6",
        p=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
    ),
    "trunc_normal_": hint(
        RNG,
        "p.data[...] = (0.02 * rng.normal(size=p.shape)).clip(-2, 2)",
        before="p = 1 * p",
        torch="p = torch.nn.init.trunc_normal_(p.detach(), std=0.02)",
        then="p",
        kind=True,
        p=VALUES,
    ),
}
REST |= {("autograd_lib.nn.init", name): case for name, case in INITS.items()}

MODULES: dict[str, Hint] = {
    "add_module": exists(
        "setattr(model, name, module)",
        before=MODEL,
        then="dict(model.named_modules())",
        holds="name in r",
        name="more",
        module=None,
    ),
    "double": exists(
        "dtype=float",
        then="nn.Linear(2, 1, dtype=dtype).weight.dtype",
        holds="r == np.float64",
    ),
    "float": exists(
        "dtype=np.float32",
        then="nn.Linear(2, 1, dtype=dtype).weight.dtype",
        holds="r == np.float32",
    ),
    "get_parameter": exists(
        "dict(model.named_parameters())[name]",
        before=MODEL,
        holds="r.shape == (3, 2)",
        name="0.weight",
    ),
    "register_forward_hook": exists("t.register_hook", holds="callable(r)"),
    "register_module": exists(
        "setattr(model, name, module)",
        before=f"{MODEL}; module = nn.ReLU()",
        then="dict(model.named_modules())",
        holds="name in r",
        name="more",
    ),
    "register_parameter": exists(
        "model.name = nn.Parameter(numbers)",
        before=MODEL,
        then="dict(model.named_parameters())",
        holds="'name' in r",
        numbers=(1.0, 2.0),
    ),
    "requires_grad_": exists(
        "for p in model.parameters(): p.requires_grad_(False)",
        before=MODEL,
        then="[p for p in model.parameters() if p.requires_grad]",
        holds="r == []",
    ),
    "to": exists(
        "dtype=np.float32",
        then="nn.Linear(2, 1, dtype=dtype).weight.dtype",
        holds="r == np.float32",
    ),
}
MODULES["add_module"] = MODULES["register_module"]
MODULES["type"] = MODULES["to"]
MODULES["register_full_backward_hook"] = MODULES["register_forward_hook"]
MODULES["compile"] = exists("ag.compile(model)", before=MODEL)
MODULES["get_submodule"] = exists(
    "dict(model.named_modules())[name]", before=MODEL, holds="callable(r)", name="0"
)
MODULES["from_pretrained"] = hint(
    "layer = nn.Embedding(*rows.shape)",
    "layer.weight.data[...] = rows",
    torch="layer = torch.nn.Embedding.from_pretrained(rows.detach())",
    then="taken(layer.weight)",
    rows=VALUES,
    constants=("rows",),
    single=True,
)
REST |= {("a module", name): case for name, case in MODULES.items()}
REST[("an optimiser", "add_param_group")] = exists(
    "optim.SGD([{'params': params, 'lr': 0.1}], lr=0.5)",
    before=OPT,
    then="result.lr",
    holds="r == 0.1",
)
REST[("an optimiser", "state")] = exists(
    "optimizer.state_dict()", before=OPT, holds="'steps' in r"
)
REST[("an optimiser", "register_step_post_hook")] = exists(
    "optimizer.step()", before=f"{OPT}; w.sum().backward()", then="w", holds="r.size"
)
REST[("an optimiser", "defaults")] = exists(
    "optimizer.lr", before=OPT, holds="r == 0.5"
)
KEYWORDS: dict[str, Hint] = {
    "ceil_mode": exists("np.pad"),
    "materialize_grads": exists(
        "ag.grad(y, x, allow_unused=True)",
        before="y = (x * 0).sum(); x = ag.tensor([1.0], requires_grad=True)",
        holds="r == (None,)",
    ),
    "padding_idx": hint(
        "np.where(tokens[..., None] == padding_idx, 0.0, y)",
        before="y = weight[tokens]",
        torch="F.embedding(tokens, torch.cat([weight[:1] * 0, weight[1:]]), 0)",
        weight=VALUES,
        tokens=[[0, 2, 2], [1, 0, 1]],
        padding_idx=0,
    ),
    "padding_mode": hint(
        "np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), mode='reflect')",
        torch="F.pad(x, (1, 1, 1, 1), mode='reflect')",
        x=[[VALUES]],
    ),
    "shuffle": exists(
        "rng=np.random.default_rng(0)", then="rng", holds="r.random() < 1"
    ),
    "size": exists(
        "scale_factor=2",
        "np.repeat(x, numbers, axis)",
        holds="r.shape == (3, 7)",
        numbers=(1, 2, 3, 1),
        axis=1,
    ),
    "size_average": exists(
        'reduction="sum"',
        then="nn.mse_loss(x, y, reduction=reduction)",
        holds="r.shape == ()",
    ),
    "strict": exists(
        "model.load_state_dict({**model.state_dict(), **part})",
        before=f"{MODEL}; part = {{'0.bias': np.zeros(3, np.float32)}}",
        then="model[0].bias.tolist()",
        holds="r == [0.0, 0.0, 0.0]",
    ),
}
KEYWORDS |= {
    "maximize": hint(
        "(-loss).backward()",
        before="loss = (x * 3.0).sum()",
        torch="(-(x * 3.0).sum()).backward()",
        then="x.grad",
    ),
    "is_grads_batched": exists(
        "[ag.grad(y, x, g, retain_graph=True) for g in grads]",
        before="x = ag.tensor([1.0, 2.0], requires_grad=True); y = x * x; "
        "grads = np.eye(2)",
        then="np.stack([g for (g,) in result]).tolist()",
        holds="r == [[2.0, 0.0], [0.0, 4.0]]",
    ),
    "divisor_override": hint(
        "nn.avg_pool2d(x, size) * (size**2 / divisor)",
        torch="F.avg_pool2d(x, size, divisor_override=divisor)",
        x=[[VALUES[:2]]],
        size=2,
        divisor=3,
    ),
    "seed": exists("rng=0", then="nn.Linear(2, 1, rng=rng)", holds="callable(r)"),
    "closure": exists(
        "loss.backward()", before="loss = (x * x).sum()", then="x.grad", holds="r.size"
    ),
    "argnum": exists(
        "argnums=",
        before="f = lambda x, y: (x * y).sum()",
        then="ag.functional.grad(f, argnums=1)(np.ones(2), np.zeros(2)).tolist()",
        holds="r == [1.0, 1.0]",
    ),
    "dim": exists("axis=", then="x.sum(axis=1)", holds="r.shape == (3,)"),
    "keepdim": exists(
        "keepdims=", then="x.sum(1, keepdims=True)", holds="r.shape == (3, 1)"
    ),
    "mode": exists("passes=ag.MACHINE", then="len(passes)", holds="r > 0"),
}
KEYWORDS["backend"] = KEYWORDS["mode"]
for name in ("atol", "rtol"):
    KEYWORDS[name] = exists(
        "tolerance=",
        then="ag.gradcheck(np.sin, x[0] * 0.01, tolerance=1e-4).compared "
        "if x.dtype == float else 1",
        holds="r",
    )
REST |= {("a keyword", name): case for name, case in KEYWORDS.items()}
