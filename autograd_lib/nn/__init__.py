"""Modules, and what they are made with (chapters 16 to 18).

    from autograd_lib import nn

    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))

Names are imported on first use, like those of the package; the chapters import from
the modules themselves, such as `autograd_lib.nn.layers`.
"""

from importlib import import_module

WHERE = {
    "Module": "module",
    "Sequential": "layers",
    "ModuleList": "containers",
    "ModuleDict": "containers",
    "Parameter": "containers",
    "Linear": "layers",
    "Flatten": "layers",
    "ReLU": "layers",
    "Tanh": "layers",
    "Sigmoid": "layers",
    "SiLU": "layers",
    "GELU": "layers",
    "LeakyReLU": "activations",
    "ELU": "activations",
    "leaky_relu": "activations",
    "elu": "activations",
    "LayerNorm": "normalization",
    "BatchNorm": "normalization",
    "Dropout": "dropout",
    "Embedding": "embedding",
    "Conv2d": "convolution",
    "ConvTranspose2d": "enlarging",
    "Upsample": "enlarging",
    "MaxPool2d": "pooling",
    "AvgPool2d": "pooling",
    "conv2d": "convolution",
    "conv_transpose2d": "enlarging",
    "max_pool2d": "pooling",
    "avg_pool2d": "pooling",
    "CausalSelfAttention": "attention",
    "SelfAttention": "attention",
    "MultiheadAttention": "attention",
    "scaled_dot_product_attention": "attention",
    "Block": "gpt",
    "GPT": "gpt",
    "cross_entropy": "losses",
    "nll_loss": "losses",
    "binary_cross_entropy_with_logits": "losses",
    "mse_loss": "losses",
    "save": "state",
    "load": "state",
    "functional": "functional",
    "init": "init",
}
__all__ = list(WHERE)


def __getattr__(name: str) -> object:
    if name not in WHERE:
        from autograd_lib.spelling import missing

        raise missing("autograd_lib.nn", name, WHERE)
    module = import_module(f"autograd_lib.nn.{WHERE[name]}")
    found = module if name == WHERE[name] else getattr(module, name)
    globals()[name] = found  # so that this function isn't called again
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *WHERE})
