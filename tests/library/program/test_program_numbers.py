"""Numbers of Python that change, where NumPy makes arrays of them (chapter 22)."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.program import compile


@pytest.mark.parametrize(
    "made",
    [
        *(lambda n: np.array([n, 1.0]), lambda n: np.full(2, n), np.array),
        *(lambda n: np.cumsum([n, 1]), lambda n: np.add([n, 1], 1), np.float64),
        lambda n: np.pad([n, 1], 1),
    ],
)
@pytest.mark.parametrize("start", [0.0, 0, 2**63, 2**70])
def test_numpy_makes_numbers_of_a_number_that_changes(made, start):
    """Plain NumPy, which asks no recorded array: it is a constant of the program."""

    def stepper():
        state = {"n": start, "sum": np.zeros(1)}

        def step(x):
            state["n"] += 1
            state["sum"] = state["sum"] + np.sum(np.asarray(made(state["n"]), float))
            return state["sum"] * x

        return step, state

    step, state = stepper()
    plain, expected = stepper()
    step = compile(step)
    for _ in range(4):
        got, want = step(np.ones(2)), plain(np.ones(2))
        assert (got.dtype, got.tobytes()) == (want.dtype, want.tobytes())
    assert state["n"] == expected["n"]
    assert state["sum"].tobytes() == expected["sum"].tobytes()
    assert state["sum"].dtype == float


def write_row(b, n, x):
    b[n % 3] = x
    return b.mean(0)


def write_number(b, n, x):
    b[n % 3, 0] = 7.0
    return b[-1 - n % 3] * x


def write_view(b, n, x):
    row = b[n % 3]
    b += 1
    row[1:] -= x[0]
    return row + b[..., n % 2]


@pytest.mark.parametrize("body", [write_row, write_number, write_view])
def test_a_number_that_changes_is_a_place_in_an_array(body):
    """As in a ring buffer, of which there is one program."""

    def stepper():
        state = {"n": 0, "buffer": np.arange(9.0).reshape(3, 3)}

        def step(x):
            state["n"] += 1
            return body(state["buffer"], state["n"], x)

        return step, state

    step, state = stepper()
    plain, expected = stepper()
    step = compile(step)
    for i in range(5):
        x = np.arange(3.0) + i
        assert step(x).tolist() == plain(x).tolist()
        assert state["buffer"].tolist() == expected["buffer"].tolist()
    assert len(step.programs) == 1
    assert len(step.reasons) == 1


def shaped(x):
    return x * x.shape[0] + x[:1].sum()


BESIDE_ARRAYS = {
    "append": lambda x, n: np.append(x, n),
    "clip": lambda x, n: np.clip(x, n, 9),
    "array of a list": lambda x, n: np.stack([x[0], n]),
    "list for a ufunc": lambda x, n: np.add([x[0], n], x[:2]),
    "hstack": lambda x, n: np.hstack([x, n]),
    "dot": lambda x, n: np.dot(x, n),
    "outer": lambda x, n: np.outer(x, n),
    "block": lambda x, n: np.block([x, n]),
    "where": lambda x, n: np.where(x > 3, x, n),
    "add": lambda x, n: x + n,
    "select": lambda x, n: np.select([x > 3, x > 1], [x, n]),
    "meshgrid": lambda x, n: np.meshgrid(x, n)[1],
    "einsum": lambda x, n: np.einsum("i,->i", x, n),
    "linspace": lambda x, n: np.linspace(x[0], n, 4),
    "full_like": lambda x, n: np.full_like(x, n),
    "initial": lambda x, n: np.sum(x, initial=n),
}
COUNTED = {
    "roll": lambda x, n: np.roll(x, n),
    "take": lambda x, n: np.take(x, n),
    "reshape": lambda x, n: shaped(np.reshape(x, (n, -1))),
    "tile": lambda x, n: shaped(np.tile(x, n)),
    "pad": lambda x, n: shaped(np.pad(x, n)),
    "diff": lambda x, n: shaped(np.diff(x, n)),
    "rot90": lambda x, n: shaped(np.rot90(np.reshape(x, (3, 4)), n)),
    "insert": lambda x, n: shaped(np.insert(x, n, 7)),
    "resize": lambda x, n: shaped(np.resize(x, (n, 2))),
    "steps": lambda x, n: shaped(np.linspace(x[0], 1, n)),
    "axis": lambda x, n: shaped(np.sum(np.reshape(x, (2, 2, 3)), axis=n % 3)),
}


@pytest.mark.filterwarnings("error")  # the second call's verification would warn
@pytest.mark.parametrize("scale", [1, 0.5])
@pytest.mark.parametrize("name", BESIDE_ARRAYS)
@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_a_number_beside_an_array_has_the_type_that_numpy_gives_it(name, scale, dtype):
    state = {"n": 1}
    compare_counts(lambda x: BESIDE_ARRAYS[name](x, state["n"] * scale), state, dtype)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", COUNTED)
def test_a_count_that_decides_a_shape_is_a_constant(name):
    """Otherwise what follows would have the shape of the recording."""
    state = {"n": 1}
    compare_counts(lambda x: COUNTED[name](x, state["n"]), state, np.float32)


def compare_counts(function, state, dtype):
    """See that a function and its program return the same bits, for each count."""
    compiled, x = compile(function), np.arange(12).astype(dtype)
    for n in (1, 2, 3, 4, 1, 2):
        state["n"] = n
        got, want = compiled(x), function(x)
        assert (got.shape, got.dtype) == (want.shape, want.dtype)
        assert got.tobytes() == want.tobytes()
    assert not any("uncompiled" in reason for reason in compiled.reasons)


@pytest.mark.filterwarnings("error")  # Python's operators warn of whole numbers
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.int8])
def test_elements_are_added_by_operators_which_give_the_same_bits(dtype):
    def f(x):
        a, b, c, d = x
        several = np.add(a, b), np.subtract(3, a), np.multiply(b, c), np.divide(a, d)
        return np.stack(several)

    compiled = compile(f)
    several = np.random.default_rng(0).normal(size=(20, 4)) * 60
    for x in several.astype(dtype):
        assert compiled(x).tobytes() == f(x).tobytes()
    source = compiled.programs[0].source
    floats = np.dtype(dtype).kind == "f"
    assert [f" {name}(" in source for name in ("add", "multiply")] == [not floats] * 2
    assert (" = 3 - " in source) == floats
