"""Layers and functions of `torch.nn` that `nn` does not have."""

from __future__ import annotations

from typing import Any

from tests.library.hints.drawn import RNG, drawn, exists
from tests.library.hints.hint import Hint, hint
from tests.library.hints.tensors import PAIRS, VALUES

IMAGES = [[[[0.5, -100.0, 0.0], [1.0, 2.0, 100.0], [0.25, -1.0, 3.0]]] * 2] * 2
SCORES: dict[str, Any] = {
    "scores": [[0.5, -2.0, 100.0], [0.0, 0.0, 1.0], [-100.0, 3.0, 2.0]],
    "labels": [2, 0, 1],
}
SOFT: dict[str, Any] = {
    "scores": [[0.5, -2.0], [0.0, 3.0]],
    "labels": [[0.25, 1.0], [0.0, 0.5]],
}
LOGS: dict[str, Any] = {
    "log_p": [[-0.5, -2.0, -1.5], [-0.1, -3.0, -100.0]],
    "labels": [1, 2],
}
SHARES: dict[str, Any] = {
    "p": [[0.25, 0.0, 0.75], [1.0, 0.0, 0.0]],
    "log_q": [[-1.0, -100.0, -0.5], [0.0, -20.0, -3.0]],
}
WHOLE: dict[str, Any] = {
    "then": "result(x) if callable(result) else result",
    "single": True,
}
HUBER = ("d = np.abs(x - y)", "np.where(d < 1, d * d / 2, d - 0.5).mean()")
COSINE = (
    "u, v = (np.maximum(np.linalg.norm(z, axis=-1), 1e-8) for z in (x, y))",
    "(x * y).sum(axis=-1) / (u * v)",
)
ROWS: dict[str, Any] = {"x": [*VALUES, [0.0] * 4], "y": [*VALUES[::-1], [1.0] * 4]}
SIGMOID3 = "np.where(x > -3, np.where(x < 3, x / 6 + 0.5, 1.0), 0.0)"
BOUNDED: dict[str, Any] = {"x": [-100.0, -3.5, -1.5, 0.0, 0.5, 2.0, 100.0]}
DROP = "np.where(rng.random((*x.shape[:2], 1, 1)) < p, 0.0, x / (1 - p))"
CHANNELS: dict[str, Any] = {"x": [[[[1.0, 2.0]] * 3] * 4] * 2, "p": 0.5}
KL = "np.where(p > 0, p * (np.log(np.where(p > 0, p, 1.0)) - log_q), 0.0).mean()"
ENCODER = "nn.Block(d, heads, causal=False)"
BLOCK: dict[str, Any] = {"d": 8, "heads": 2, "x": [[[0.5] * 8, [1.0] * 8]]}


def classes(theirs: str) -> Hint:
    return hint("nn.cross_entropy(scores, labels)", torch=theirs, **SCORES)


def constant(case: Hint, *names: str) -> Hint:
    """Return a case some of whose numbers need no gradient."""
    case.given["constants"] = names
    return case


OWN: dict[str, Hint] = {
    "AdaptiveAvgPool2d": hint(
        "x.mean(axis=(2, 3), keepdims=True)",
        torch="torch.nn.AdaptiveAvgPool2d(1)(x)",
        x=IMAGES,
    ),
    "BCELoss": constant(
        hint(
            "nn.binary_cross_entropy_with_logits(scores, labels)",
            torch="F.binary_cross_entropy(torch.sigmoid(scores), labels)",
            **SOFT,
        ),
        "labels",
    ),
    "BCEWithLogitsLoss": constant(
        hint(
            "nn.binary_cross_entropy_with_logits(scores, labels)",
            torch="F.binary_cross_entropy_with_logits(scores, labels)",
            scores=[[0.0, -100.0], [100.0, 3.0]],
            labels=[[0.4, 1.0], [0.0, 0.5]],
        ),
        "labels",
    ),
    "Buffer": exists(
        "model.register_buffer(name, numbers)",
        before="model = nn.Linear(2, 1)",
        then="list(model.state_dict())",
        holds="r[-1] == name",
        name="mean",
        numbers=(0.0, 1.0),
    ),
    "Conv1d": hint(
        "x[:, :, None]",
        "nn.Conv2d(inputs, outputs, (1, size))",
        torch="torch.nn.Conv1d(inputs, outputs, size)(x)",
        then="result(x[:, :, None])[:, :, 0] if callable(result) else result",
        single=True,
        kind=True,
        inputs=2,
        outputs=3,
        size=3,
        x=[[[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0]]],
    ),
    "CosineSimilarity": hint(
        *COSINE, torch="torch.nn.CosineSimilarity(-1)(x, y)", **ROWS
    ),
    "CrossEntropyLoss": classes("torch.nn.CrossEntropyLoss()(scores, labels)"),
    "Dropout1d": drawn(
        "np.where(rng.random((*x.shape[:2], 1)) < p, 0.0, x / (1 - p))",
        "torch.nn.Dropout1d(p)(x)",
        x=[[[1.0, 2.0, 3.0]] * 4] * 2,
        p=0.5,
    ),
    "Dropout2d": hint(
        RNG,
        DROP,
        torch="torch.nn.Dropout2d(p)(x)",
        holds="sorted({len(set((c / x0).flat)) for c, x0 in zip(r.data.reshape(8, 6), "
        "x.reshape(8, 6))}) == [1] and 0 < (r.data == 0).mean() < 1",
        kind=True,
        **CHANNELS,
    ),
    "GLU": hint(
        "a, b = np.split(x, 2, axis=-1)", "a * b.sigmoid()", torch="torch.nn.GLU()(x)"
    ),
    "Hardsigmoid": hint(SIGMOID3, torch="F.hardsigmoid(x)", single=True, **BOUNDED),
    "Hardswish": hint(  # PyTorch's, in float64, divides by a 6 of float32
        f"x * {SIGMOID3}", torch="F.hardswish(x)", single=True, **BOUNDED
    ),
    "Hardtanh": hint(
        "np.where(np.abs(x) < 1, x, np.sign(x))",
        torch="F.hardtanh(x)",
        x=[-100.0, -1.0, -0.5, 0.0, 1.0, 1.5, 100.0],
    ),
    "HuberLoss": hint(*HUBER, torch="torch.nn.HuberLoss()(x, y)"),
    "Identity": hint("nn.Sequential()", torch="torch.nn.Identity()(x)", **WHOLE),
    "KLDivLoss": constant(
        hint("len(p)", KL, torch="F.kl_div(log_q, p)", **SHARES),
        "p",
    ),
    "L1Loss": hint("np.abs(x - y).mean()", torch="torch.nn.L1Loss()(x, y)"),
    "LazyLinear": hint(
        "nn.Linear(inputs, outputs)",
        torch="torch.nn.Linear(inputs, outputs)(x)",
        kind=True,
        inputs=4,
        outputs=2,
        **WHOLE,
    ),
    "LogSigmoid": hint("-(-x).softplus()", torch="F.logsigmoid(x)"),
    "LogSoftmax": hint("x.log_softmax(axis=-1)", torch="F.log_softmax(x, -1)"),
    "MSELoss": hint(
        "nn.mse_loss(x, target)", torch="torch.nn.MSELoss()(x, target)", target=VALUES
    ),
    "Mish": hint("x * np.tanh(x.softplus())", torch="F.mish(x)"),
    "NLLLoss": hint(
        "nn.nll_loss(log_p, labels)", torch="F.nll_loss(log_p, labels)", **LOGS
    ),
    "PReLU": hint(
        "np.where(x > 0, x, slope * x)", torch="F.prelu(x, slope)", slope=[0.25]
    ),
    "PixelShuffle": hint(
        "x.reshape(n, c, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)"
        ".reshape(n, c, h * r, w * r)",
        torch="F.pixel_shuffle(x, r)",
        x=[[[[float(i), 0.0, 2.0]] * 2 for i in range(8)]],
        n=1,
        c=2,
        r=2,
        h=2,
        w=3,
    ),
    "RMSNorm": hint(
        "scale * x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps)",
        torch="F.rms_norm(x, (4,), scale, eps)",
        scale=[1.0, 0.5, 2.0, -1.0],
        eps=1e-6,
        x=ROWS["x"],
    ),
    "ReLU6": hint(
        "np.where(x < 6, x.relu(), 6.0)",
        torch="F.relu6(x)",
        x=[-100.0, -1.0, 0.0, 0.5, 6.0, 7.5, 100.0],
    ),
    "ReflectionPad2d": hint(
        "np.pad(x, ((0, 0), (0, 0), (n, n), (n, n)), mode='reflect')",
        torch="torch.nn.ReflectionPad2d(n)(x)",
        x=IMAGES,
        n=2,
    ),
    "SELU": hint(
        "1.0507009873554805 * nn.elu(x, 1.6732632423543772)", torch="F.selu(x)"
    ),
    "SmoothL1Loss": hint(*HUBER, torch="torch.nn.SmoothL1Loss()(x, y)"),
    "Softmax": hint("x.softmax(axis=-1)", torch="F.softmax(x, -1)"),
    "Softmin": hint("(-x).softmax(axis=-1)", torch="F.softmin(x, -1)"),
    "Softplus": hint("x.softplus()", torch="F.softplus(x)"),
    "Softshrink": hint(
        "np.where(np.abs(x) > level, x - level * np.sign(x), 0.0 * x)",
        torch="F.softshrink(x, level)",
        level=0.5,
        x=[-100.0, -0.75, 0.0, 0.25, 1.0, 100.0],
    ),
    "Softsign": hint("x / (1 + np.abs(x))", torch="F.softsign(x)"),
    "Tanhshrink": hint("x - np.tanh(x)", torch="F.tanhshrink(x)"),
    "Threshold": hint(
        "np.where(x > level, x, value)",
        torch="F.threshold(x, level, value)",
        level=0.5,
        value=-1.0,
    ),
    "Transformer": hint(ENCODER, "nn.GPT", holds="callable(r)", d=8, heads=2),
    "TransformerDecoder": exists("nn.GPT", "nn.MultiheadAttention"),
    "TransformerDecoderLayer": exists("nn.Block", "nn.MultiheadAttention"),
    "TransformerEncoder": hint(
        f"nn.Sequential({ENCODER}, {ENCODER})",
        torch="torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(d, heads, "
        "4 * d, 0.0, batch_first=True), 2)(x)",
        kind=True,
        **WHOLE,
        **BLOCK,
    ),
    "TransformerEncoderLayer": hint(  # in numbers, in tests/library/nn/test_options.py
        "4 * d",
        ENCODER,
        torch="torch.nn.TransformerEncoderLayer(d, heads, 4 * d, 0.0, "
        "batch_first=True)(x)",
        kind=True,
        **WHOLE,
        **BLOCK,
    ),
    "TripletMarginLoss": exists("np.linalg.norm", "np.maximum"),
    "Unflatten": hint(
        "x.reshape(len(x), *shape)",
        torch="torch.nn.Unflatten(1, shape)(x)",
        shape=(2, 2),
    ),
    "UpsamplingNearest2d": hint(
        "nn.Upsample(scale_factor=2)",
        torch="torch.nn.UpsamplingNearest2d(scale_factor=2)(x)",
        x=IMAGES,
        **WHOLE,
    ),
    "ZeroPad2d": hint(
        "np.pad(x, ((0, 0), (0, 0), (n, n), (n, n)))",
        torch="torch.nn.ZeroPad2d(n)(x)",
        x=IMAGES,
        n=1,
    ),
    "gelu": hint("x.gelu()", torch="F.gelu(x)"),
    "mse": hint("nn.mse_loss(x, target)", torch="F.mse_loss(x, target)", target=VALUES),
    "one_hot": hint(
        "np.eye(n, dtype=np.int64)[labels]",
        torch="F.one_hot(labels, n)",
        n=4,
        labels=[0, 3, 3],
    ),
    "relu": hint("x.relu()", torch="F.relu(x)"),
    "rnn": exists("np.pad", "np.stack"),
    "softmax": hint("x.softmax(axis=-1)", torch="F.softmax(x, -1)"),
    "utils": hint(
        "optim.clip_grad_norm(parameters, most)",
        before="(1e3 * x * x).sum().backward(); parameters = [x]",
        torch="(1e3 * x * x).sum().backward()\n"
        "n = torch.nn.utils.clip_grad_norm_([x], most)",
        then="x.grad",
        most=1.0,
    ),
}
for name in ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d"):
    OWN[name] = hint(
        "nn.BatchNorm(n)", torch="torch.nn.BatchNorm1d(n)(x)", n=4, **WHOLE
    )
for name, code in (("Bilinear", "np.einsum"), ("CELU", "nn.ELU")):
    OWN[name] = exists(code)
for name in ("InstanceNorm2d", "GroupNorm"):
    OWN[name] = exists("nn.LayerNorm", "nn.BatchNorm")
for name in ("GRU", "LSTM", "RNN", "GRUCell", "LSTMCell"):
    OWN[name] = exists("nn.Linear")
OWN["Conv3d"] = exists("nn.Conv2d")
OWN["SyncBatchNorm"] = exists("nn.BatchNorm")
for name in ("ParameterDict", "ParameterList"):
    OWN[name] = hint(
        before="model = nn.Sequential()\nmodel.own = {'a': nn.Parameter(np.ones(2))}, "
        "[nn.Parameter(np.ones(2))]",
        then="len(list(model.parameters()))",
        holds="r == 2",
    )
LAYERS = {("autograd_lib.nn", name): case for name, case in OWN.items()}
FUNCTIONS: dict[str, Hint] = {
    "adaptive_avg_pool2d": OWN["AdaptiveAvgPool2d"],
    "avg_pool2d": hint(
        "nn.avg_pool2d(x, size)", torch="F.avg_pool2d(x, size)", x=IMAGES, size=2
    ),
    "batch_norm": OWN["BatchNorm1d"],
    "binary_cross_entropy": OWN["BCELoss"],
    "binary_cross_entropy_with_logits": OWN["BCEWithLogitsLoss"],
    "conv1d": hint(
        "nn.conv2d(x[:, :, None], weight[:, :, None], bias)[:, :, 0]",
        torch="F.conv1d(x, weight, bias)",
        x=[[[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0]]],
        weight=[[[1.0, 0.0, 2.0], [0.5, -1.0, 0.0]]],
        bias=[0.5],
    ),
    "conv2d": hint(
        "nn.conv2d(x, weight, bias)",
        torch="F.conv2d(x, weight, bias)",
        x=IMAGES,
        weight=[[[[1.0, 0.0], [2.0, -1.0]]] * 2],
        bias=[0.5],
    ),
    "conv_transpose2d": hint(
        "nn.conv_transpose2d(x, weight, bias)",
        torch="F.conv_transpose2d(x, weight, bias)",
        x=IMAGES,
        weight=[[[[1.0, 0.0], [2.0, -1.0]]]] * 2,
        bias=[0.5],
    ),
    "cosine_similarity": OWN["CosineSimilarity"],
    "cross_entropy": classes("F.cross_entropy(scores, labels)"),
    "dropout": hint("nn.Dropout(p)(x)", torch="F.dropout(x, p)", kind=True, p=0.25),
    "dropout2d": OWN["Dropout2d"],
    "elu": hint("nn.elu(x)", torch="F.elu(x)"),
    "embedding": hint(
        "weight[tokens]",
        torch="F.embedding(tokens, weight)",
        weight=PAIRS,
        tokens=[[0, 2, 2], [1, 0, 0]],
    ),
    "gelu": OWN["gelu"],
    "glu": OWN["GLU"],
    "hardtanh": OWN["Hardtanh"],
    "huber_loss": OWN["HuberLoss"],
    "interpolate": hint(
        "nn.Upsample(scale_factor=2)(x)",
        torch="F.interpolate(x, scale_factor=2)",
        x=IMAGES,
    ),
    "kl_div": OWN["KLDivLoss"],
    "l1_loss": OWN["L1Loss"],
    "layer_norm": hint(
        "nn.LayerNorm(shape)(x)",
        torch="F.layer_norm(x, shape)",
        shape=(4,),
        kind=True,
        single=True,
    ),
    "leaky_relu": hint("nn.leaky_relu(x)", torch="F.leaky_relu(x)"),
    "log_softmax": OWN["LogSoftmax"],
    "logsigmoid": OWN["LogSigmoid"],
    "max_pool2d": hint(
        "nn.max_pool2d(x, size)", torch="F.max_pool2d(x, size)", x=IMAGES, size=2
    ),
    "mish": OWN["Mish"],
    "mse_loss": OWN["MSELoss"],
    "nll_loss": OWN["NLLLoss"],
    "one_hot": OWN["one_hot"],
    "pad": hint(
        "np.pad(x, ((0, 0),) * (x.ndim - 1) + ((left, right),))",
        torch="F.pad(x, (left, right))",
        left=1,
        right=2,
    ),
    "pairwise_distance": hint(
        "np.linalg.norm(x - y + 1e-6, axis=-1)", torch="F.pairwise_distance(x, y)"
    ),
    "relu": OWN["relu"],
    "relu6": OWN["ReLU6"],
    "scaled_dot_product_attention": hint(
        "nn.scaled_dot_product_attention(q, k, v)",
        torch="F.scaled_dot_product_attention(q, k, v)",
        q=VALUES,
        k=VALUES[::-1],
        v=PAIRS,
    ),
    "selu": OWN["SELU"],
    "sigmoid": hint("x.sigmoid()", torch="F.sigmoid(x)"),
    "silu": hint("x * x.sigmoid()", torch="F.silu(x)"),
    "smooth_l1_loss": OWN["SmoothL1Loss"],
    "softmax": OWN["softmax"],
    "softmin": OWN["Softmin"],
    "softplus": OWN["Softplus"],
    "softsign": OWN["Softsign"],
    "tanh": hint("np.tanh(x)", torch="torch.tanh(x)"),
    "triplet_margin_loss": OWN["TripletMarginLoss"],
    "unfold": hint(
        "np.lib.stride_tricks.sliding_window_view(x, (size, size), (2, 3))",
        torch="x.unfold(2, size, 1).unfold(3, size, 1)",
        x=IMAGES,
        size=2,
    ),
}
LAYERS |= {("autograd_lib.nn.functional", n): case for n, case in FUNCTIONS.items()}
