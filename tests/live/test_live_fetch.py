"""Files of live pages: sources are asked in order, and wrong hashes are refused."""

from __future__ import annotations

import hashlib
import json
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from live.tools import sources
from live.tools.assets import File, load
from live.tools.fetch import Fetcher, FetchError, cache_folder
from live.tools.packages import compiled, entry, imported, pure
from live.tools.site import STAGE, copy, place
from live.tools.sources import Cache, Carrier, Missing, Npm, Unreachable, member
from live.tools.wheel import library_wheel
from notebooks.notebook import ROOT

CONTENT = b"the content"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
WANTED = File("here/file", "file", frozenset([DIGEST]))


class Fake:
    """A source that has what it is given; it counts how often it is asked."""

    def __init__(self, name: str, answer: bytes | Missing) -> None:
        self.name, self.answer, self.asked = name, answer, 0

    def get(self, file: File) -> bytes:
        self.asked += 1
        if isinstance(self.answer, Missing):
            raise self.answer
        return self.answer


def test_the_first_source_that_has_it_is_taken_and_kept(tmp_path: Path) -> None:
    first, second = Fake("first", Missing("not there")), Fake("second", CONTENT)
    third = Fake("third", CONTENT)
    fetcher = Fetcher(Cache(tmp_path / "cache"), [first, second, third])
    assert fetcher.get(WANTED) == fetcher.get(WANTED) == CONTENT
    assert (first.asked, second.asked, third.asked) == (1, 1, 0)


def test_another_hash_is_refused_and_the_next_source_asked(tmp_path: Path) -> None:
    wrong, right = Fake("wrong", b"something else"), Fake("right", CONTENT)
    assert Fetcher(Cache(tmp_path), [wrong, right]).get(WANTED) == CONTENT
    with pytest.raises(FetchError, match=r"wrong: refused, its hash is"):
        Fetcher(Cache(tmp_path / "empty"), [wrong]).get(WANTED)


def test_a_cache_that_was_tampered_with_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / DIGEST).write_bytes(b"something else")
    assert Fetcher(Cache(tmp_path), [Fake("right", CONTENT)]).get(WANTED) == CONTENT
    assert (tmp_path / DIGEST).read_bytes() == CONTENT


def test_a_source_that_is_out_of_reach_is_asked_once(tmp_path: Path) -> None:
    far, near = Fake("far", Unreachable("no route")), Fake("near", b"wrong")
    fetcher = Fetcher(Cache(tmp_path), [far, near])
    for _ in range(3):
        with pytest.raises(FetchError, match="far: no route"):
            fetcher.get(WANTED)
    assert (far.asked, near.asked) == (1, 3)


def test_the_cache_can_be_put_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAD_CACHE", "elsewhere")
    assert cache_folder() == Path("elsewhere")


def test_files_are_found_in_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        info = tarfile.TarInfo("package/file")
        info.size = len(CONTENT)
        archive.addfile(info, BytesIO(CONTENT))
    assert member(packed.getvalue(), WANTED) == CONTENT
    with pytest.raises(Missing):
        member(packed.getvalue(), File("", "other", frozenset()))
    wheel = BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("folder/file", CONTENT)
    monkeypatch.setattr(sources, "wheel_from_pypi", lambda name: wheel.getvalue())
    carrier = Carrier("some==1", "folder/")
    assert carrier.get(File("", "file", frozenset(), distributed=True)) == CONTENT
    with pytest.raises(Missing):
        carrier.get(File("", "none", frozenset(), distributed=True))
    with pytest.raises(Missing):
        Npm().get(WANTED)


def test_every_file_is_pinned_and_nothing_names_this_machine() -> None:
    assets = load(ROOT / "live" / "assets.toml")
    files = [*assets.core, *assets.modules]
    assert len({file.target for file in files}) == len(files)
    for file in files:
        assert all(len(digest) == 64 for digest in file.sha256), file
        assert file.sha256


def test_where_nothing_can_be_had_there_are_no_live_pages(tmp_path: Path) -> None:
    (tmp_path / "live").symlink_to(ROOT / "live", target_is_directory=True)
    html = tmp_path / "_build" / "html"
    (html / "live").mkdir(parents=True)
    fetcher = Fetcher(Cache(tmp_path / "cache"), [Fake("far", Unreachable("no"))])
    (note,) = place(tmp_path, fetcher)
    assert note.startswith("Without live pages: pyodide.mjs cannot be had")
    copy(tmp_path, html)
    assert not (tmp_path / STAGE).exists()
    assert not (html / "live").exists()


def test_a_book_without_the_folder_has_none_and_says_nothing(tmp_path: Path) -> None:
    assert place(tmp_path) == []


LOCK = {
    "packages": {
        "num": {"imports": ["num"], "depends": [], "file_name": "num-cp314.whl"},
        "plot": {"imports": ["plot"], "depends": ["num", "p"], "file_name": "p-cp.whl"},
        "p": {"imports": ["p"], "depends": [], "file_name": "p-py3-none-any.whl"},
        "bar": {"imports": ["bar"], "depends": [], "file_name": "b-py3-none-any.whl"},
    }
}


def test_compiled_packages_come_with_all_they_need() -> None:
    assert set(compiled({"plot", "bar"}, LOCK)) == {"plot", "num", "p"}
    assert set(compiled({"num"}, LOCK)) == {"num"}


def test_pure_packages_are_those_of_the_lock() -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    version, file = pure("graphviz", lock)
    assert file.path == f"graphviz=={version}"
    assert len(file.sha256) == 2
    with pytest.raises(LookupError, match="no_such_thing"):
        pure("no_such_thing", lock)


def test_the_chapters_need_what_they_import() -> None:
    found = imported(ROOT)
    assert {"numpy", "matplotlib", "graphviz"} <= found
    assert not {"math", "autograd_lib", "pygraphviz"} & found


def test_the_library_makes_the_same_wheel_each_time() -> None:
    name, content = library_wheel(ROOT)
    assert (name, content) == library_wheel(ROOT)
    made = entry("autograd_lib", "1", name, content)
    assert made["sha256"] == hashlib.sha256(content).hexdigest()
    assert json.dumps(made)
