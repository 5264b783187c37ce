"""A file that is damaged does not load as another state."""

import numpy as np
import pytest

from autograd_lib import nn

STATE = {"a": np.arange(6.0).reshape(2, 3), "b": np.ones(4, np.float32)}


@pytest.fixture
def path(tmp_path):
    nn.save(STATE, tmp_path / "state.npz")
    return tmp_path / "state.npz"


@pytest.mark.parametrize("length", [4, 12, 22])
def test_a_run_of_zeros_anywhere_gives_the_state_or_an_error(path, length):
    whole, errors = path.read_bytes(), 0
    for start in range(len(whole) - length + 1):
        path.write_bytes(whole[:start] + bytes(length) + whole[start + length :])
        try:
            found = nn.load(path)
        except ValueError:
            errors += 1
            continue
        assert found.keys() == STATE.keys()
        for name, array in STATE.items():
            np.testing.assert_array_equal(found[name], array)
    assert errors > len(whole) / 2


def test_an_end_record_that_promises_nothing_is_damage(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:-14] + bytes(12) + whole[-2:])
    with pytest.raises(ValueError, match="no arrays are listed"):
        nn.load(path)


def test_an_empty_state_is_saved_and_loaded(tmp_path):
    nn.save({}, tmp_path / "none.npz")
    assert nn.load(tmp_path / "none.npz") == {}
