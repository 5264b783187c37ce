"""Names of PyTorch, JAX and NumPy that the package and its data do not have."""

from __future__ import annotations

from tests.library.hints.drawn import DRAWN, RNG, exists
from tests.library.hints.hint import Hint, hint
from tests.library.hints.tensors import OWN as OF_TENSORS
from tests.library.hints.tensors import SQUARE, VALUES

NEW = "ag.tensor(np.zeros(shape, np.float32))"


def dtype(ours: str, theirs: str) -> Hint:
    made = "np.ones(1, result) if isinstance(result, type) else result"
    return hint(ours, torch=f"torch.ones(1).to({theirs})", then=made)


OWN: dict[str, Hint] = {
    **DRAWN,
    "FloatTensor": hint(
        "ag.tensor(numbers, dtype=np.float32)",
        torch="torch.FloatTensor(numbers)",
        numbers=(0.5, 2.0),
    ),
    "Generator": exists("np.random.default_rng(seed)", holds="r.random() < 1", seed=3),
    "LongTensor": hint(
        "ag.tensor(numbers, dtype=np.int64)",
        torch="torch.LongTensor(numbers)",
        numbers=(1, 2),
    ),
    "Parameter": hint(
        "nn.Parameter(numbers)", torch="torch.nn.Parameter(numbers)", numbers=[0.5, 2.0]
    ),
    "arange": hint("ag.tensor(np.arange(n))", torch="torch.arange(n)", n=5),
    "array": exists(
        "ag.tensor(numbers)", holds="r.tolist() == [1.0, 2.0]", numbers=(1.0, 2.0)
    ),
    "asarray": hint(
        "ag.tensor(numbers)",
        "ag.from_numpy(array)",
        torch="torch.asarray(array)",
        numbers=(1, 2),
        array=[1, 2],
    ),
    "as_tensor": hint(
        "ag.tensor(numbers)",
        "ag.from_numpy(array)",
        torch="torch.as_tensor(array)",
        numbers=(1, 2),
        array=[1, 2],
    ),
    "autograd": exists(
        *("ag.gradcheck", "ag.grad", "ag.jacobian", "ag.hessian", "ag.Function")
    ),
    "bool": dtype("np.bool_", "torch.bool"),
    "cat": hint(
        "np.concatenate([a, b], axis)", torch="torch.cat([a, b], axis)", axis=1
    ),
    "clamp": hint(
        "np.clip(t, low, high)", torch="torch.clamp(t, low, high)", low=-1.0, high=2.0
    ),
    "clone": hint("t.copy()", torch="torch.clone(t)"),
    "complex128": dtype("np.complex128", "torch.complex128"),
    "complex64": dtype("np.complex64", "torch.complex64"),
    "cosine_similarity": hint(
        "u, v = (np.maximum(np.linalg.norm(z, axis=-1), 1e-8) for z in (x, y))",
        "(x * y).sum(axis=-1) / (u * v)",
        torch="torch.cosine_similarity(x, y)",
    ),
    "cross": hint(
        "np.cross(a, b, axis=axis)",
        torch="torch.cross(a, b, dim=axis)",
        a=SQUARE,
        b=SQUARE[::-1],
        axis=0,
    ),
    "histc": hint(
        "np.histogram(t.data, bins, (low, high))[0]",
        torch="torch.histc(t.detach(), bins, low, high).long()",
        bins=5,
        low=-10.0,
        high=10.0,
    ),
    "histogram": hint(
        "np.histogram(t.data, bins)",
        torch="tuple(torch.histogram(t.detach(), bins))",
        then="result[1]",
        bins=5,
    ),
    "nanmedian": hint(
        "np.nanmedian(t)",
        torch="torch.nanquantile(t, 0.5)",
        t=[[0.5, -100.0, 2.0, 0.0]],
    ),
    "custom_jvp": exists("ag.Function"),
    "custom_vjp": exists("ag.Function"),
    "detach": hint("t.detach()", torch="t.detach()"),
    "div": hint("a / b", torch="torch.div(a, b)", b=[[0.5, 2.0, -100.0, 1.0]]),
    "double": dtype("np.float64", "torch.double"),
    "dropout": hint(
        "nn.Dropout(p)(x)", torch="torch.dropout(x, p, True)", kind=True, p=0.25
    ),
    "empty": hint(NEW, torch="torch.empty(shape)", kind=True, shape=(2, 3)),
    "equal": hint("np.array_equal(a, b)", torch="torch.equal(a, b)"),
    "eye": hint("ag.tensor(np.eye(n, dtype=np.float32))", torch="torch.eye(n)", n=3),
    "fft": exists("np.fft", holds="callable(r.fft)"),
    "flatten": hint(
        "nn.Flatten()", "np.reshape(t, -1)", torch="torch.flatten(t)", t=[SQUARE]
    ),
    "flip": hint("np.flip(t, axes)", torch="torch.flip(t, axes)", axes=(0, 1)),
    "float": dtype("np.float32", "torch.float"),
    "from_dlpack": exists(
        "ag.from_numpy(np.from_dlpack(array))", holds="r.shape == (2,)", array=[1, 2]
    ),
    "full": hint(
        "ag.tensor(np.full(shape, number, np.float32))",
        torch="torch.full(shape, number)",
        shape=(2, 3),
        number=1.5,
    ),
    "full_like": hint(
        "ag.tensor(np.full_like(t.data, number))",
        torch="torch.full_like(t, number)",
        number=1.5,
    ),
    "func": hint(
        "ag.tree.map(new, model)",
        *("ag.functional.grad", "ag.vjp", "ag.jvp", "ag.jacobian", "ag.hessian"),
        holds="callable(r)",
        new=lambda p: p,
        model=(1.0,),
    ),
    "gather": hint(
        "np.take_along_axis(t, indices, axis)",
        torch="torch.gather(t, axis, indices)",
        indices=[[1, 3], [0, 0], [2, 1]],
        axis=1,
    ),
    "gelu": hint("t.gelu()", torch="F.gelu(t)"),
    "half": dtype("np.float16", "torch.half"),
    "hamming_window": hint(
        "ag.tensor(np.hamming(n + 1)[:-1], dtype=np.float32)",
        torch="torch.hamming_window(n)",
        n=6,
    ),
    "hann_window": hint(
        "ag.tensor(np.hanning(n + 1)[:-1], dtype=np.float32)",
        torch="torch.hann_window(n)",
        n=6,
    ),
    "index_select": hint(
        "np.take(t, indices, axis)",
        torch="torch.index_select(t, axis, indices)",
        indices=[1, 1, 3],
        axis=1,
    ),
    "inference_mode": exists(
        "ag.no_grad()", holds="r.__enter__() or r.__exit__() is None"
    ),
    "int": dtype("np.int32", "torch.int"),
    "is_tensor": exists("isinstance(t, ag.Tensor)", holds="r"),
    "jacfwd": hint(
        "autograd_lib.forward.jacobian(f)",
        "ag.jacobian(f)",
        before="import autograd_lib.forward; f = lambda x: x * x",
        torch="torch.func.jacfwd(lambda x: x * x)(x)",
        then="result(x) if callable(result) else result",
    ),
    "jacrev": hint(
        "ag.jacobian(f)",
        before="f = lambda x: x * x",
        torch="torch.func.jacrev(lambda x: x * x)(x)",
        then="result(x) if callable(result) else result",
    ),
    "jit": exists("ag.compile(f)", f=lambda x: x),
    "lerp": hint("a + weight * (b - a)", torch="torch.lerp(a, b, weight)", weight=0.25),
    "leaky_relu": hint("nn.leaky_relu(x)", torch="F.leaky_relu(x)"),
    "linspace": hint(
        "ag.tensor(np.linspace(a, b, n, dtype=np.float32))",
        torch="torch.linspace(a, b, n)",
        a=0.0,
        b=1.0,
        n=5,
    ),
    "load": exists(
        "ag.nn.load(path)",
        before="path = __import__('tempfile').mkdtemp() + '/a.npz'; "
        "nn.save({'a': np.ones(2)}, path)",
        holds="r['a'].tolist() == [1, 1]",
    ),
    "log_softmax": hint("t.log_softmax(axis=-1)", torch="torch.log_softmax(t, -1)"),
    "logcumsumexp": hint(
        "np.log(np.cumsum(np.exp(t - t.max()), axis)) + t.max()",
        torch="torch.logcumsumexp(t, axis)",
        t=[[0.0, 1.0, -2.0, 3.0]],
        axis=1,
    ),
    "logdet": hint("np.linalg.slogdet(t)[1]", torch="torch.logdet(t)", t=SQUARE),
    "logsumexp": hint("t.logsumexp(axis=-1)", torch="torch.logsumexp(t, -1)"),
    "long": dtype("np.int64", "torch.long"),
    "make_jaxpr": exists(
        "ag.compile(f).program(x).source", holds="'def program' in r", f=lambda x: x * x
    ),
    "masked_fill": OF_TENSORS["masked_fill"],
    "masked_select": OF_TENSORS["masked_select"],
    "max": hint(
        "np.argmax(t, axis)",
        "np.max(t, axis)",
        "np.max(t)",
        torch="torch.max(t)",
        axis=1,
    ),
    "median": OF_TENSORS["median"],
    "meshgrid": hint(
        'np.meshgrid(a, b, indexing="ij")',
        torch='torch.meshgrid(a, b, indexing="ij")',
        a=[1.0, 2.0],
        b=[3.0, 0.0, 5.0],
    ),
    "min": hint(
        "np.argmin(t, axis)",
        "np.min(t, axis)",
        "np.min(t)",
        torch="torch.min(t)",
        axis=1,
        t=VALUES[:1],
    ),
    "mm": hint("a @ b", torch="torch.mm(a, b)", b=[[1.0], [0.0], [2.0], [3.0]]),
    "bmm": hint("a @ b", torch="torch.bmm(a, b)", a=[SQUARE], b=[SQUARE]),
    "movedim": hint(
        "np.moveaxis(t, source, destination)",
        torch="torch.movedim(t, source, destination)",
        source=0,
        destination=1,
    ),
    "mul": hint("a * b", torch="torch.mul(a, b)"),
    "multinomial": hint(
        RNG,
        "rng.choice(len(p), size=n, p=p.data / p.data.sum())",
        torch="torch.multinomial(p, n, True)",
        kind=True,
        p=[0.25, 0.0, 0.5, 0.25],
        n=6,
    ),
    "mv": hint("a @ b", torch="torch.mv(a, b)", b=[1.0, -2.0, 0.0, 100.0]),
    "neg": hint("-t", torch="torch.neg(t)"),
    "nonzero": hint("np.argwhere(t.data)", torch="torch.nonzero(t)"),
    "norm": hint(
        "np.linalg.norm(t, p, axis)",
        "np.linalg.norm(t.reshape(-1))",
        torch="torch.norm(t)",
        p=1,
        axis=1,
    ),
    "numel": hint("t.size", torch="torch.numel(t)"),
    "numpy": exists("import numpy as np", then="np.sin", holds="r is np.sin"),
    "one_hot": hint(
        "np.eye(n, dtype=np.int64)[labels]",
        torch="F.one_hot(labels, n)",
        n=4,
        labels=[0, 3, 3],
    ),
    "ones": hint(
        "ag.tensor(np.ones(shape, np.float32))", torch="torch.ones(shape)", shape=(2, 3)
    ),
    "ones_like": hint("ag.tensor(np.ones_like(t.data))", torch="torch.ones_like(t)"),
    "permute": hint(
        "np.transpose(t, axes)", torch="torch.permute(t, axes)", axes=(1, 0)
    ),
    "polar": hint(
        "r * np.cos(angle) + 1j * r * np.sin(angle)",
        torch="torch.polar(r.detach(), angle.detach())",
        kind=True,
        r=[1.0, 2.0],
        angle=[0.0, 0.5],
    ),
    "pow": hint("a**b", torch="torch.pow(a, b)", a=[1.0, 2.0], b=[0.0, 3.0]),
    "random": exists("np.random.default_rng(0)", holds="r.random() < 1"),
    "relu": hint("t.relu()", torch="torch.relu(t)"),
    "remat": exists(
        "ag.checkpoint(f, x)", holds="r.shape == (3, 4)", f=lambda x: x * x
    ),
    "repeat_interleave": OF_TENSORS["repeat_interleave"],
    "roll": OF_TENSORS["roll"],
    "rsqrt": hint("1 / np.sqrt(t)", torch="torch.rsqrt(t)", t=[0.25, 1.0, 100.0]),
    "save": exists(
        "ag.nn.save(model.state_dict(), path)",
        before="path = __import__('tempfile').mkdtemp() + '/a.npz'; "
        "model = nn.Linear(2, 1)",
        then="nn.load(path)",
        holds="list(r) == ['weight', 'bias']",
    ),
    "scatter": OF_TENSORS["scatter"],
    "scatter_add": OF_TENSORS["scatter_add"],
    "index_add": OF_TENSORS["index_add"],
    "select": hint(
        "np.take(t, index, axis)", torch="torch.select(t, axis, index)", index=2, axis=1
    ),
    "set_default_dtype": exists(
        "ag.tensor(numbers, dtype=np.float32)",
        holds="r.dtype == np.float32",
        numbers=(1.0, 2.0),
    ),
    "set_grad_enabled": exists(
        "ag.no_grad()", "ag.enable_grad()", holds="hasattr(r, '__enter__')"
    ),
    "sigmoid": hint("t.sigmoid()", torch="torch.sigmoid(t)"),
    "silu": hint("x * x.sigmoid()", torch="F.silu(x)"),
    "softmax": hint("t.softmax(axis=-1)", torch="torch.softmax(t, -1)"),
    "softplus": hint("t.softplus()", torch="F.softplus(t)"),
    "solve_triangular": hint(
        "np.linalg.solve(np.tril(a), b)",
        torch="torch.linalg.solve_triangular(a, b, upper=False)",
        a=SQUARE,
        b=[[1.0], [0.0], [2.0]],
    ),
    "sort": hint(
        "i = np.argsort(t.data, axis, stable=True)",
        "np.take_along_axis(t, i, axis), i",
        torch="tuple(torch.sort(t, stable=True, dim=axis))",
        axis=1,
    ),
    "split": OF_TENSORS["split"],
    "chunk": OF_TENSORS["chunk"],
    "std": hint("np.std(t, axis, ddof=1)", torch="torch.std(t, axis)", axis=1),
    "std_mean": hint(
        "np.std(t, axis, ddof=1), np.mean(t, axis)",
        torch="torch.std_mean(t, axis)",
        axis=1,
    ),
    "stop_gradient": hint("t.detach()", torch="t.detach()"),
    "sub": hint("a - b", torch="torch.sub(a, b)"),
    "threshold": hint(
        "np.where(t > level, t, value)",
        torch="torch.threshold(t, level, value)",
        level=0.5,
        value=-1.0,
    ),
    "topk": OF_TENSORS["topk"],
    "transpose": hint(
        "np.swapaxes(t, i, j)", torch="torch.transpose(t, i, j)", i=0, j=1
    ),
    "unbind": OF_TENSORS["unbind"],
    "unsqueeze": OF_TENSORS["unsqueeze"],
    "utils": exists(*("ag.checkpoint", "ag.data.batches", "ag.optim.clip_grad_norm")),
    "var": hint("np.var(t, axis, ddof=1)", torch="torch.var(t, axis)", axis=1),
    "var_mean": hint(
        "np.var(t, axis, ddof=1), np.mean(t, axis)",
        torch="torch.var_mean(t, axis)",
        axis=1,
    ),
    "vmap": hint(
        "w = ag.tensor(np.repeat(w.data[None], n, 0), requires_grad=True)",
        "(x[:, None] @ w)[:, 0]",
        torch="torch.func.vmap(torch.func.grad(lambda w, x: ((x @ w) ** 2).sum()), "
        "(None, 0))(w, x)",
        then="result.detach() if 'torch' in globals() else "
        "ag.grad((result * result).sum(), w)[0]",
        w=[[1.0, -2.0], [0.5, 0.0], [0.0, 1.0], [2.0, -1.0]],
        n=3,
        kind=False,
    ),
    "zeros": hint(NEW, torch="torch.zeros(shape)", shape=(2, 3)),
    "zeros_like": hint("ag.tensor(np.zeros_like(t.data))", torch="torch.zeros_like(t)"),
}
SEEDED = hint(
    "nn.Linear(2, 3, rng=0)",
    "np.random.seed(seed)",
    before="np.random.seed(3); w = nn.Linear(2, 3).weight.tolist()",
    then="nn.Linear(2, 3).weight.tolist() == w",
    holds="r",
    seed=3,
)
OWN["distributions"] = exists("np.random.default_rng(0)", holds="r.random() < 1")
for name in ("cummax", "cummin"):
    ufunc = "np.maximum" if name == "cummax" else "np.minimum"
    OWN[name] = exists(ufunc, "np.stack")
OWN["lgamma"] = exists("ag.Function")
for name in ("cuda", "device"):
    OWN[name] = hint()
PACKAGE = {("autograd_lib", name): case for name, case in OWN.items()}
PACKAGE[("autograd_lib", "seed")] = PACKAGE[("autograd_lib", "manual_seed")] = SEEDED
