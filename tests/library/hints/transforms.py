"""Names that the package's data and its transforms do not have."""

from __future__ import annotations

from tests.library.hints.drawn import exists
from tests.library.hints.hint import Hint, hint
from tests.library.hints.package import OWN
from tests.library.hints.tensors import VALUES

DIGITS = {
    "DataLoader": exists(
        "for x, y in data.batches((images, labels), size=32, "
        "rng=np.random.default_rng(0)): ...",
        then="x.shape, y.shape",
        holds="r == ((3, 8, 8), (3,))",
        before="images, labels = np.ones((35, 8, 8)), np.ones(35)",
    ),
    "Dataset": exists("data.batches"),
    "MNIST": exists("data.digits()", holds="len(r) == 2"),
    "TensorDataset": exists("data.batches"),
    "load_digits": exists("data.digits()", holds="len(r) == 2"),
    "random_split": exists(
        "data.split(images, labels, held_out=360, rng=0)",
        before="images, labels = data.digits()",
        holds="len(r[1][0]) == 360",
    ),
}
TRANSFORMED: dict[tuple[str, str], Hint] = {
    ("autograd_lib.data", name): case for name, case in DIGITS.items()
}
TRANSFORMS = {
    "functional_call": exists(
        "tree.map(new, model)",
        before="model = nn.Linear(2, 1)",
        holds="r.weight.tolist() == [[0.0, 0.0]]",
        new=lambda p: p * 0.0,
    ),
    "grad_and_value": exists("functional.value_and_grad(f)", f=lambda x: x.sum()),
    "jacfwd": OWN["jacrev"],
    "jacrev": hint(
        "functional.jacobian(f)",
        before="f = lambda x: x * x",
        torch="torch.func.jacrev(lambda x: x * x)(x)",
        then="result(x) if callable(result) else result",
    ),
    "jvp": hint(
        "ag.jvp(f, (x,), (v,))",
        before="f = lambda x: x * x",
        torch="torch.func.jvp(lambda x: x * x, (x,), (v,))",
        v=VALUES,
    ),
    "linearize": exists(
        "ag.jvp(f, (x,), (v,))", f=lambda x: x * x, v=VALUES, holds="len(r) == 2"
    ),
    "relu": hint("x.relu()", torch="F.relu(x)"),
    "softmax": hint("x.softmax(axis=-1)", torch="F.softmax(x, -1)"),
    "stop_gradient": OWN["stop_gradient"],
    "vmap": OWN["vmap"],
}
TRANSFORMED |= {("autograd_lib.functional", n): case for n, case in TRANSFORMS.items()}
