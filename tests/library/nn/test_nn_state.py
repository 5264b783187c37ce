"""States in files: whole or not at all, and never a pickle."""

from __future__ import annotations

import os
import pickle
import stat
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor
from autograd_lib.nn.layers import Linear, Sequential
from autograd_lib.nn.state import load, save
from autograd_lib.optim import Adam


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.npz"
    save(Sequential(Linear(4, 3, rng=0), Linear(3, 2, rng=1)), path)
    return path


def test_what_is_saved_is_loaded(saved: Path, tmp_path: Path) -> None:
    model = Sequential(Linear(4, 3, rng=2), Linear(3, 2, rng=3))
    state = load(saved)
    model.load_state_dict(state)
    expected = Sequential(Linear(4, 3, rng=0), Linear(3, 2, rng=1))
    x = np.ones((5, 4), np.float32)
    np.testing.assert_array_equal(model(x).data, expected(x).data)
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]


def test_any_names_shapes_and_types_come_back(tmp_path: Path) -> None:
    state = {
        "file": np.float64(2.5),
        "a/b.c": np.arange(6).reshape(2, 3).T,
        "none": np.zeros((0, 3), np.float16),
        "yes": np.array([True, False]),
        "tensor": Tensor([1.0, 2.0], requires_grad=True),
    }
    save(state, str(tmp_path / "state"))
    found = load(tmp_path / "state")
    assert list(found) == list(state)
    for name, a in found.items():
        kept: Any = state[name]
        expected = kept.data if isinstance(kept, Tensor) else kept
        np.testing.assert_array_equal(a, expected)
        assert a.dtype == expected.dtype


def test_the_same_state_is_the_same_file(saved: Path, tmp_path: Path) -> None:
    save(load(saved), tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == saved.read_bytes()


def test_a_new_file_takes_the_place_of_the_old_one_whole(saved: Path) -> None:
    before = saved.stat().st_ino
    save({"a": np.ones(2)}, saved)
    assert saved.stat().st_ino != before
    assert list(load(saved)) == ["a"]


def test_numpy_reads_it_too(saved: Path) -> None:
    with np.load(saved, allow_pickle=False) as arrays:
        assert set(arrays.files) == {"0.weight", "0.bias", "1.weight", "1.bias"}


def test_an_optimiser_goes_on_where_it_was(tmp_path: Path) -> None:
    def trained(steps: int, model: Sequential, adam: Adam) -> None:
        for _ in range(steps):
            adam.zero_grad()
            model(np.ones((5, 4), np.float32)).sum().backward()
            adam.step()

    def pair() -> tuple[Sequential, Adam]:
        model = Sequential(Linear(4, 3, rng=0))
        return model, Adam(model.parameters(), lr=0.1)

    whole, first, second = pair(), pair(), pair()
    trained(5, *whole)
    trained(2, *first)
    for part, name in zip(first, ("model", "adam"), strict=True):
        save(part, tmp_path / name)
    for part, name in zip(second, ("model", "adam"), strict=True):
        part.load_state_dict(load(tmp_path / name))
    trained(3, *second)
    np.testing.assert_array_equal(second[0][0].weight.data, whole[0][0].weight.data)
    assert second[1].steps == 5


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_file_that_is_cut_off_is_no_state(saved: Path, share: float) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ValueError, match=r"model\.npz is no whole file of arrays"):
        load(saved)


def test_a_number_that_changed_in_the_file_is_noticed(saved: Path) -> None:
    content = bytearray(saved.read_bytes())
    with zipfile.ZipFile(saved) as archive:
        start = archive.getinfo("0.weight.npy").header_offset
    content[start + 220] ^= 1
    saved.write_bytes(content)
    with pytest.raises(ValueError, match=r"no whole file .*CRC"):
        load(saved)


def test_a_damaged_directory_loses_no_array(tmp_path: Path) -> None:
    """Of the list of members, every eleventh bit in turn is another."""
    state = {"w": np.arange(3.0), "é": np.ones(2), "steps": np.array(5)}
    path = tmp_path / "state.npz"
    save(state, path)
    whole = path.read_bytes()
    start, refused = whole.index(b"PK\1\2"), 0
    for at in range(8 * start, 8 * len(whole), 11):
        damaged = bytearray(whole)
        damaged[at // 8] ^= 1 << at % 8
        path.write_bytes(damaged)
        try:
            found = load(path)
        except ValueError:
            refused += 1
            continue
        assert list(found) == list(state), at
        for name, a in found.items():
            np.testing.assert_array_equal(a, state[name])
    assert refused > 50


def test_an_array_that_is_no_longer_listed_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "state.npz"
    save({"a": np.arange(3.0), "b": np.ones(2)}, path)
    content = bytearray(path.read_bytes())
    first = content.index(b"PK\1\2")
    second = content.index(b"PK\1\2", first + 4)
    content[first + 32] = content.index(b"PK\5\6") - second  # as long a comment
    path.write_bytes(content)
    with pytest.raises(ValueError, match="2 arrays were written, and 1 are listed"):
        load(path)


def test_an_array_that_became_shorter_is_noticed(tmp_path: Path) -> None:
    """The checksum of a member is compared where it ends, not where its array does."""
    save({"w": np.arange(30_000.0)}, tmp_path / "long.npz")
    content = (tmp_path / "long.npz").read_bytes()
    assert content.count(b"(30000,)") == 1
    (tmp_path / "long.npz").write_bytes(content.replace(b"(30000,)", b"(20000,)"))
    with pytest.raises(ValueError, match=r"no whole file .*CRC"):
        load(tmp_path / "long.npz")


def test_names_that_end_like_files_are_names(tmp_path: Path) -> None:
    state = {"a": np.ones(1), "a.npy": np.zeros(1), "": np.full(1, 2.0)}
    save(state, tmp_path / "names.npz")
    found = load(tmp_path / "names.npz")
    assert {name: a[0] for name, a in found.items()} == {"a": 1, "a.npy": 0, "": 2}
    with pytest.raises(ValueError, match=r"save: a file cannot hold .* 'a\\x00b'"):
        save({"a\0b": np.ones(1)}, tmp_path / "names.npz")
    assert list(load(tmp_path / "names.npz")) == list(state)


def test_a_member_that_is_no_array_is_refused(saved: Path) -> None:
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("notes.txt", "a text")
    with pytest.raises(ValueError, match=r"'notes\.txt' in it is no array"):
        load(saved)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_who_may_read_a_file_stays_so(saved: Path) -> None:
    new = saved.stat().st_mode
    for mode in (0o600, 0o640):
        saved.chmod(mode)
        save({"a": np.ones(2)}, saved)
        assert stat.S_IMODE(saved.stat().st_mode) == mode
    save({"a": np.ones(2)}, saved.parent / "other.npz")
    assert (saved.parent / "other.npz").stat().st_mode == new


def test_threads_that_save_one_file_have_each_their_own_part(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them write before any is done; the file is that of one of them."""
    write, together = np.lib.format.write_array, threading.Barrier(3)

    def slow(*arguments: Any, **options: Any) -> None:
        together.wait(10)
        write(*arguments, **options)

    monkeypatch.setattr(np.lib.format, "write_array", slow)
    with ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(save, {"a": np.full(999, k)}, saved) for k in range(3)]
    assert [job.result() for job in jobs] == [None] * 3
    assert len(set(load(saved)["a"].tolist())) == 1
    assert [path.name for path in saved.parent.iterdir()] == ["model.npz"]


class Trap:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return (exec, ("raise SystemExit('the code of a pickle ran')",))


def test_a_pickle_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "pickle").write_bytes(pickle.dumps({"w": Trap()}))
    objects = np.array([Trap()], dtype=object)
    np.savez(tmp_path / "objects.npz", w=objects, allow_pickle=True)
    np.save(tmp_path / "one.npy", np.ones(2))
    for name in ("pickle", "objects.npz", "one.npy"):
        with pytest.raises(ValueError, match="another kind of file"):
            load(tmp_path / name)


def test_a_missing_file_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing.npz")


@pytest.mark.parametrize("wrong", [{"w": "text"}, {"w": [object()]}, [1.0], {1: 2.0}])
def test_what_is_no_state_is_not_saved(saved: Path, wrong: Any) -> None:
    before = saved.read_bytes()
    with pytest.raises(TypeError, match=r"^save: .*state"):
        save(wrong, saved)
    assert saved.read_bytes() == before


def test_an_error_while_writing_leaves_what_was_there(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, write = saved.read_bytes(), np.lib.format.write_array
    calls = []

    def failing(*arguments: Any, **options: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise OSError("no space left")
        write(*arguments, **options)

    monkeypatch.setattr(np.lib.format, "write_array", failing)
    with pytest.raises(OSError, match="no space left"):
        save({"a": np.ones(2), "b": np.ones(2)}, saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["model.npz"]
