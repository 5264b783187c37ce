"""Names that tensors of PyTorch have, and tensors here do not."""

from __future__ import annotations

from typing import Any

from tests.library.hints.hint import Hint, hint

SQUARE = [[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 2.0]]
NEAR = [[0.25, 0.5, 0.75, 1.5], [2.0, 0.125, 1.0, 3.0], [0.5, 4.0, 0.0625, 1.25]]
VALUES = [[1.0, 2.0, -100.0, 0.5], [0.5, 0.0, 3.0, 100.0], [4.0, -1.0, 2.0, 1.0]]
PLACES = [[1, 3], [0, 0], [2, 1]]
UNIQUE_PLACES = [[1, 3], [0, 2], [2, 1]]
PAIRS = [[1.0, -2.0], [0.5, 100.0], [0.0, 3.0]]
LINES = "rows = np.arange(len(t))[:, None]"
COPY = "s = t.copy()"
OTHER: dict[str, Any] = {"other": VALUES}

OWN: dict[str, Hint] = {
    "acos": hint("t.arccos()", torch="t.acos()", t=[-0.5, 0.0, 0.25]),
    "add": hint("t + other", torch="t.add(other)", **OTHER),
    "addmm": hint(
        "b + x @ w",
        torch="torch.addmm(b, x, w)",
        b=[1.0, 2.0],
        w=[[1.0, -2.0], [0.5, 0.0], [0.0, 1.0], [2.0, -1.0]],
    ),
    "allclose": hint("np.allclose(t, other)", torch="t.allclose(other)", **OTHER),
    "amax": hint("t.max(axis=axis)", torch="t.amax(axis)", axis=1),
    "amin": hint("t.min(axis=axis)", torch="t.amin(axis)", axis=1),
    "asin": hint("t.arcsin()", torch="t.asin()", t=[-0.5, 0.0, 0.25]),
    "atan": hint("t.arctan()", torch="t.atan()"),
    "atan2": hint("np.arctan2(t, other)", torch="t.atan2(other)", **OTHER),
    "bernoulli_": hint(
        "t[...] = rng.random(t.shape) < p",
        torch="t = (2 * t).detach().bernoulli_(p)",
        then="t",
        before="t = 2 * t",
        kind=True,
        p=0.5,
    ),
    "bincount": hint("np.bincount(t)", torch="t.bincount()", t=[0, 2, 2, 1]),
    "bmm": hint("t @ other", torch="t.bmm(other)", t=[SQUARE], other=[SQUARE]),
    "bool": hint("t.astype(bool)", torch="t.bool()"),
    "cat": hint(
        "np.concatenate([t, other], axis)",
        torch="torch.cat([t, other], axis)",
        axis=1,
        **OTHER,
    ),
    "cholesky": hint(
        "np.linalg.cholesky(t)", torch="torch.linalg.cholesky(t)", t=SQUARE, kind=True
    ),
    "chunk": hint(
        "size = -(-t.shape[axis] // n)",
        "np.split(t, range(size, t.shape[axis], size), axis)",
        torch="t.chunk(n, axis)",
        t=[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]],
        n=3,
        axis=1,
    ),
    "clamp": hint("t.clip(low, high)", torch="t.clamp(low, high)", low=-1.25, high=2.0),
    "clamp_max": hint("np.minimum(t, high)", torch="t.clamp_max(high)", high=2.0),
    "clamp_min": hint("np.maximum(t, low)", torch="t.clamp_min(low)", low=-1.25),
    "contiguous": hint("t.copy()", torch="t.contiguous()"),
    "cross": hint(
        "np.cross(t, other)",
        torch="torch.linalg.cross(t, other)",
        t=SQUARE,
        other=SQUARE[::-1],
    ),
    "det": hint("np.linalg.det(t)", torch="t.det()", t=SQUARE),
    "detach_": hint(
        "t.detach()",
        "t.requires_grad_(False)",
        torch="t.detach_()",
        holds="not r.requires_grad",
    ),
    "diag": hint("np.diag(t)", torch="t.diag()", t=SQUARE),
    "diag_embed": hint(
        "np.eye(t.shape[-1], dtype=t.dtype) * t[..., None]", torch="t.diag_embed()"
    ),
    "dim": hint("t.ndim", torch="t.dim()"),
    "div": hint("t / other", torch="t.div(other)", other=NEAR),
    "divide": hint("t / other", torch="t.divide(other)", other=NEAR),
    "double": hint("t.astype(np.float64)", torch="t.double()"),
    "element_size": hint("t.dtype.itemsize", torch="t.element_size()"),
    "eq": hint("t == other", torch="t.eq(other)", **OTHER),
    "equal": hint("np.array_equal(t, other)", torch="t.equal(other)", **OTHER),
    "expand": hint(
        "np.broadcast_to(t, shape)", torch="t.expand(shape)", shape=(2, 3, 4)
    ),
    "expand_as": hint(
        "np.broadcast_to(t, other.shape)",
        torch="t.expand_as(other)",
        t=[1.0, 0.0, -100.0, 2.0],
        **OTHER,
    ),
    "flip": hint("np.flip(t, axes)", torch="t.flip(axes)", axes=(0, 1)),
    "fliplr": hint("np.fliplr(t)", torch="t.fliplr()"),
    "flipud": hint("np.flipud(t)", torch="t.flipud()"),
    "float": hint("t.astype(np.float32)", torch="t.float()"),
    "floor_divide": hint(
        "t // other", torch="t.detach() // other.detach()", other=NEAR
    ),
    "fmod": hint("np.fmod(t, other)", torch="t.fmod(other)", other=[[0.7]]),
    "frac": hint("np.modf(t)[0]", torch="t.frac()", t=NEAR),
    "gather": hint(
        "np.take_along_axis(t, indices, axis)",
        torch="t.gather(axis, indices)",
        indices=PLACES,
        axis=1,
    ),
    "ge": hint("t >= other", torch="t.ge(other)", **OTHER),
    "ger": hint("np.outer(t, other)", torch="t.ger(other)", t=[1.0, 0.0], other=[2.0]),
    "gt": hint("t > other", torch="t.gt(other)", **OTHER),
    "half": hint("t.astype(np.float16)", torch="t.half()", kind=True),
    "index_add": hint(
        COPY,
        "np.add.at(s, index, values)",
        torch="s = t.index_add(0, index, values)",
        then="s",
        index=[0, 0, 2],
        values=VALUES,
    ),
    "index_select": hint(
        "t.take(indices, axis)",
        torch="t.index_select(axis, indices)",
        indices=[1, 1, 3],
        axis=1,
    ),
    "indices": hint(
        "t.argmax(axis)", "t.argmin(axis)", torch="t.min(axis).indices", axis=1
    ),
    "int": hint("t.astype(np.int32)", torch="t.int()"),
    "inverse": hint("np.linalg.inv(t)", torch="t.inverse()", t=SQUARE),
    "isfinite": hint("np.isfinite(t)", torch="t.isfinite()"),
    "isinf": hint("np.isinf(t)", torch="t.isinf()"),
    "isnan": hint("np.isnan(t)", torch="t.isnan()"),
    "kron": hint("np.kron(t, other)", torch="t.kron(other)", other=[[1.0, -2.0]]),
    "kthvalue": hint(
        "np.partition(t, k - 1, axis).take(k - 1, axis)",
        torch="t.kthvalue(k, axis).values",
        k=2,
        axis=1,
    ),
    "le": hint("t <= other", torch="t.le(other)", **OTHER),
    "leaky_relu": hint("np.where(t > 0, t, 0.01 * t)", torch="F.leaky_relu(t)"),
    "lerp": hint(
        "t + weight * (other - t)",
        torch="t.lerp(other, weight)",
        weight=0.25,
        **OTHER,
    ),
    "logdet": hint("np.linalg.slogdet(t)[1]", torch="t.logdet()", t=SQUARE),
    "logical_not": hint("np.logical_not(t)", torch="t.logical_not()"),
    "logit": hint("np.log(t / (1 - t))", torch="t.logit()", t=[0.25, 0.5, 0.875]),
    "long": hint("t.astype(np.int64)", torch="t.long()"),
    "lt": hint("t < other", torch="t.lt(other)", **OTHER),
    "masked_fill": hint(
        "np.where(mask, value, t)",
        torch="t.masked_fill(mask, value)",
        mask=[[True, False, True, False]],
        value=-1.5,
    ),
    "masked_select": hint(
        "t[mask]", torch="t.masked_select(mask)", mask=[[True, False, True, False]] * 3
    ),
    "matmul": hint(
        "t @ other", torch="t.matmul(other)", other=[[1.0], [0.0], [2.0], [3.0]]
    ),
    "maximum": hint("np.maximum(t, other)", torch="t.maximum(other)", other=NEAR),
    "median": hint("np.median(t)", torch="t.quantile(0.5)"),
    "minimum": hint("np.minimum(t, other)", torch="t.minimum(other)", other=NEAR),
    "mm": hint("t @ other", torch="t.mm(other)", other=[[1.0], [0.0], [2.0], [3.0]]),
    "movedim": hint(
        "np.moveaxis(t, source, destination)",
        torch="t.movedim(source, destination)",
        source=0,
        destination=1,
    ),
    "mul": hint("t * other", torch="t.mul(other)", **OTHER),
    "multinomial": hint(
        "rng = np.random.default_rng(0)",
        "rng.choice(len(t), size=n, p=t.data / t.data.sum())",
        torch="t.multinomial(n, True)",
        kind=True,
        t=[0.25, 0.0, 0.5, 0.25],
        n=6,
    ),
    "multiply": hint("t * other", torch="t.multiply(other)", **OTHER),
    "mv": hint("t @ vector", torch="t.mv(vector)", vector=[1.0, -2.0, 0.0, 100.0]),
    "nan_to_num": hint("np.nan_to_num(t)", torch="t.nan_to_num()"),
    "narrow": hint(
        "t.take(range(start, start + length), axis)",
        torch="t.narrow(axis, start, length)",
        axis=1,
        start=1,
        length=2,
    ),
    "ndimension": hint("t.ndim", torch="t.ndimension()"),
    "ne": hint("t != other", torch="t.ne(other)", **OTHER),
    "neg": hint("-t", torch="t.neg()"),
    "nelement": hint("t.size", torch="t.nelement()"),
    "new_empty": hint(
        "Tensor(np.zeros(shape, t.dtype))",
        torch="t.new_empty(shape)",
        kind=True,
        shape=(2, 3),
    ),
    "new_full": hint(
        "Tensor(np.full(shape, number, t.dtype))",
        torch="t.new_full(shape, number)",
        shape=(2, 3),
        number=1.5,
    ),
    "new_ones": hint(
        "Tensor(np.ones(shape, t.dtype))", torch="t.new_ones(shape)", shape=(2, 3)
    ),
    "new_tensor": hint(
        "Tensor(numbers, dtype=t.dtype)",
        torch="t.new_tensor(numbers)",
        numbers=(1.0, 2.5),
    ),
    "new_zeros": hint(
        "Tensor(np.zeros(shape, t.dtype))", torch="t.new_zeros(shape)", shape=(2, 3)
    ),
    "normal_": hint(
        "t[...] = rng.normal(size=t.shape)",
        torch="t = t.detach().normal_()",
        then="t",
        before="t = 2 * t",
        kind=True,
    ),
    "numel": hint("t.size", torch="t.numel()"),
    "outer": hint(
        "np.outer(t, other)", torch="t.outer(other)", t=[1.0, 0.0], other=[2.0, 100.0]
    ),
    "permute": hint("t.transpose(axes)", torch="t.permute(axes)", axes=(1, 0)),
    "pinverse": hint("np.linalg.pinv(t)", torch="t.pinverse()", t=SQUARE),
    "quantile": hint(
        "np.quantile(t, q, axis)", torch="t.quantile(q, axis)", q=0.3, axis=1
    ),
    "random_": hint(
        "t[...] = rng.integers(low, high, t.shape)",
        torch="t = t.detach().random_(low, high)",
        then="t",
        before="t = 2 * t",
        kind=True,
        low=0,
        high=5,
    ),
    "register_post_accumulate_grad_hook": hint(
        "t.register_hook(hook)", holds="callable(r.remove)", hook=print
    ),
    "remainder": hint("t % other", torch="t.remainder(other)", other=[[0.7]]),
    "repeat_interleave": hint(
        "np.repeat(t, n, axis)", torch="t.repeat_interleave(n, axis)", n=2, axis=1
    ),
    "retains_grad": hint(
        "t.grad", "t.retain_grad()", holds="r is None", before="t = 2 * t"
    ),
    "roll": hint(
        "np.roll(t, shifts, axis)", torch="t.roll(shifts, axis)", shifts=1, axis=1
    ),
    "rsqrt": hint("1 / t.sqrt()", torch="t.rsqrt()", t=NEAR),
    "scatter": hint(
        COPY,
        "np.put_along_axis(s, indices, values, axis)",
        torch="s = t.scatter(axis, indices, values)",
        then="s",
        indices=UNIQUE_PLACES,
        values=PAIRS,
        axis=1,
    ),
    "scatter_add": hint(
        COPY,
        LINES,
        "np.add.at(s, (rows, indices), values)",
        torch="s = t.scatter_add(1, indices, values)",
        then="s",
        indices=PLACES,
        values=PAIRS,
    ),
    "scatter_add_": hint(
        LINES,
        "np.add.at(t, (rows, indices), values)",
        torch="t = (2 * t).scatter_add_(1, indices, values)",
        then="t",
        before="t = 2 * t",
        indices=PLACES,
        values=PAIRS,
    ),
    "select": hint(
        "t.take(index, axis)", torch="t.select(axis, index)", index=2, axis=1
    ),
    "silu": hint("t * t.sigmoid()", torch="F.silu(t)"),
    "slogdet": hint("np.linalg.slogdet(t)", torch="tuple(t.slogdet())", t=SQUARE),
    "split": hint(
        "np.split(t, range(size, t.shape[axis], size), axis)",
        torch="t.split(size, axis)",
        size=3,
        axis=1,
    ),
    "storage": hint("t.data", holds="type(r) is np.ndarray"),
    "sub": hint("t - other", torch="t.sub(other)", **OTHER),
    "subtract": hint("t - other", torch="t.subtract(other)", **OTHER),
    "svd": hint(
        "np.linalg.svd(t, full_matrices=False)",
        torch="t.svd()",
        then="result[1]",
        t=SQUARE,
    ),
    "t": hint("t.T", torch="t.t()"),
    "tile": hint("np.tile(t, n)", torch="t.tile(n)", n=(2, 3)),
    "to": hint("t.astype(dtype)", torch="t.to(torch.int64)", dtype="int64"),
    "topk": hint(
        "i = np.argsort(-t.data, axis=-1, stable=True)[..., :k]",
        "np.take_along_axis(t, i, -1), i",
        torch="tuple(t.topk(k))",
        k=2,
    ),
    "tril": hint("np.tril(t)", torch="t.tril()"),
    "triu": hint("np.triu(t)", torch="t.triu()"),
    "true_divide": hint("t / other", torch="t.true_divide(other)", other=NEAR),
    "type": hint("t.astype(dtype)", torch="t.type(torch.int64)", dtype="int64"),
    "type_as": hint("t.astype(other.dtype)", torch="t.type_as(other)", other=[1, 2]),
    "unbind": hint("list(np.moveaxis(t, axis, 0))", torch="t.unbind(axis)", axis=1),
    "unfold": hint(
        "np.lib.stride_tricks.sliding_window_view(t, size, axis)",
        torch="t.unfold(axis, size, 1)",
        size=3,
        axis=1,
    ),
    "uniform_": hint(
        "t[...] = rng.uniform(low, high, t.shape)",
        torch="t = t.detach().uniform_(low, high)",
        then="t",
        before="t = 2 * t",
        kind=True,
        low=-1.0,
        high=1.0,
    ),
    "unique": hint("np.unique(t.data)", torch="t.detach().unique()"),
    "unsqueeze": hint("np.expand_dims(t, axis)", torch="t.unsqueeze(axis)", axis=1),
    "values": hint("t.argmax(axis)", torch="t.max(axis).indices", axis=1),
    "view": hint("t.reshape(shape)", torch="t.view(shape)", shape=(2, 6)),
    "view_as": hint(
        "t.reshape(other.shape)", torch="t.view_as(other)", other=[[0.0] * 6] * 2
    ),
    "where": hint(
        "np.where(condition, t, other)",
        torch="t.where(condition, other)",
        condition=[[True, False, True, False]],
        **OTHER,
    ),
    "zero_": hint(
        "t[...] = 0.0",
        "w.zero_grad()",
        torch="t = (2 * t).zero_()",
        then="t",
        before="t = 2 * t",
        w=[1.0],
    ),
}
for name in ("cpu", "cuda", "device", "is_cuda", "layout"):
    OWN[name] = hint()
TENSORS = {("a tensor", name): case for name, case in OWN.items()}
