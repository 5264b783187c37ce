"""JAX: each step is one compiled function."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.tensor_engines.base import Arrays, Engine, Step


class Jax(Engine):
    """JAX with `jit`; the time of compiling is not counted."""

    np = jnp
    version = jax.__version__

    def constant(self, array: np.ndarray) -> Any:
        return jnp.asarray(array)

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        slopes = jax.jit(jax.grad(lambda ps: work.loss(self, ps, constants)))
        leaves = [jnp.asarray(p) for p in parameters]
        return lambda: jax.block_until_ready(slopes(leaves))

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        slopes = jax.grad(lambda ps: work.loss(self, ps, constants))

        def moved(ps: Any) -> Any:
            return [p - rate * g for p, g in zip(ps, slopes(ps), strict=True)]

        update = jax.jit(moved, donate_argnums=0)
        leaves = [jnp.array(p) for p in parameters]

        def step() -> Any:
            leaves[:] = jax.block_until_ready(update(list(leaves)))
            return leaves

        return step

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        slopes = jax.grad(lambda ps: work.loss(self, ps, constants))
        product = jax.jit(lambda ps, vs: jax.jvp(slopes, (ps,), (vs,))[1])
        leaves = [jnp.asarray(p) for p in parameters]
        directions = [jnp.asarray(v) for v in vectors]
        return lambda: jax.block_until_ready(product(leaves, directions))

    def relu(self, x: Any) -> Any:
        return jax.nn.relu(x)

    def gelu(self, x: Any) -> Any:
        return jax.nn.gelu(x, approximate=True)

    def softmax(self, x: Any) -> Any:
        return jax.nn.softmax(x)

    def log_softmax(self, x: Any) -> Any:
        return jax.nn.log_softmax(x)

    def images(self, x: np.ndarray) -> Any:
        return self.constant(x)

    def convolution(self, x: Any, w: Any) -> Any:
        return jax.lax.conv(x, w, (1, 1), "VALID")

    def rows(self, x: Any) -> Any:
        return jnp.reshape(x, (x.shape[0], -1))


ENGINE = Jax
