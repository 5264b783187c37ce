# What `nn` offers, spelt out for type checkers and editors.
from autograd_lib.nn import functional as functional
from autograd_lib.nn import init as init
from autograd_lib.nn.activations import ELU as ELU
from autograd_lib.nn.activations import LeakyReLU as LeakyReLU
from autograd_lib.nn.activations import elu as elu
from autograd_lib.nn.activations import leaky_relu as leaky_relu
from autograd_lib.nn.attention import CausalSelfAttention as CausalSelfAttention
from autograd_lib.nn.attention import MultiheadAttention as MultiheadAttention
from autograd_lib.nn.attention import SelfAttention as SelfAttention
from autograd_lib.nn.attention import (
    scaled_dot_product_attention as scaled_dot_product_attention,
)
from autograd_lib.nn.containers import ModuleDict as ModuleDict
from autograd_lib.nn.containers import ModuleList as ModuleList
from autograd_lib.nn.containers import Parameter as Parameter
from autograd_lib.nn.convolution import Conv2d as Conv2d
from autograd_lib.nn.convolution import conv2d as conv2d
from autograd_lib.nn.dropout import Dropout as Dropout
from autograd_lib.nn.embedding import Embedding as Embedding
from autograd_lib.nn.enlarging import ConvTranspose2d as ConvTranspose2d
from autograd_lib.nn.enlarging import Upsample as Upsample
from autograd_lib.nn.enlarging import conv_transpose2d as conv_transpose2d
from autograd_lib.nn.gpt import GPT as GPT
from autograd_lib.nn.gpt import Block as Block
from autograd_lib.nn.layers import GELU as GELU
from autograd_lib.nn.layers import Flatten as Flatten
from autograd_lib.nn.layers import Linear as Linear
from autograd_lib.nn.layers import ReLU as ReLU
from autograd_lib.nn.layers import Sequential as Sequential
from autograd_lib.nn.layers import Sigmoid as Sigmoid
from autograd_lib.nn.layers import SiLU as SiLU
from autograd_lib.nn.layers import Tanh as Tanh
from autograd_lib.nn.losses import (
    binary_cross_entropy_with_logits as binary_cross_entropy_with_logits,
)
from autograd_lib.nn.losses import cross_entropy as cross_entropy
from autograd_lib.nn.losses import mse_loss as mse_loss
from autograd_lib.nn.losses import nll_loss as nll_loss
from autograd_lib.nn.module import Module as Module
from autograd_lib.nn.normalization import BatchNorm as BatchNorm
from autograd_lib.nn.normalization import LayerNorm as LayerNorm
from autograd_lib.nn.pooling import AvgPool2d as AvgPool2d
from autograd_lib.nn.pooling import MaxPool2d as MaxPool2d
from autograd_lib.nn.pooling import avg_pool2d as avg_pool2d
from autograd_lib.nn.pooling import max_pool2d as max_pool2d
from autograd_lib.nn.state import load as load
from autograd_lib.nn.state import save as save

WHERE: dict[str, str]
__all__ = [
    "ELU",
    "GELU",
    "GPT",
    "AvgPool2d",
    "BatchNorm",
    "Block",
    "CausalSelfAttention",
    "Conv2d",
    "ConvTranspose2d",
    "Dropout",
    "Embedding",
    "Flatten",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "MaxPool2d",
    "Module",
    "ModuleDict",
    "ModuleList",
    "MultiheadAttention",
    "Parameter",
    "ReLU",
    "SelfAttention",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Tanh",
    "Upsample",
    "avg_pool2d",
    "binary_cross_entropy_with_logits",
    "conv2d",
    "conv_transpose2d",
    "cross_entropy",
    "elu",
    "functional",
    "init",
    "leaky_relu",
    "load",
    "max_pool2d",
    "mse_loss",
    "nll_loss",
    "save",
    "scaled_dot_product_attention",
]
