"""The package installs by itself: right name, right files, only NumPy required."""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import autograd_lib
from notebooks.imports import module_files
from notebooks.notebook import ROOT
from tests.tools.helpers.tree import copy_of_the_tree, files_of_the_repository

INSTALLS_A_STRANGER = re.compile(
    r"pip3?\s+install\b[^\n]*?\sautograd[-_]lib\b(?!/)", re.IGNORECASE
)

FOREIGN = re.compile(
    r"https?://|file:|^--(?:extra-)?index|^--find-links|(?:^|\s)[/~]\w"
)


def leaking_lines(lock: str) -> list[str]:
    """Return the lines that would only work on the machine that made the lock."""
    return [line for line in lock.splitlines() if FOREIGN.search(line)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel that is built from the working tree."""
    folder = tmp_path_factory.mktemp("wheel")
    source = copy_of_the_tree(folder / "source")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    command = [sys.executable, "-m", "pip", "wheel", *options, "-w", str(folder)]
    subprocess.run([*command, str(source)], check=True)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def metadata(wheel: zipfile.ZipFile) -> email.message.Message:
    """Return the wheel's metadata."""
    (name,) = [n for n in wheel.namelist() if n.endswith(".dist-info/METADATA")]
    return email.message_from_bytes(wheel.read(name))


def test_the_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    package = ROOT / "autograd_lib"
    data = (
        path
        for kind in ("pyi", "mplstyle", "css", "js", "npz", "toml", "txt")
        for path in package.rglob(f"*.{kind}")
    )
    files = [*module_files(ROOT).values(), *data]
    wanted = {path.relative_to(ROOT).as_posix() for path in files}
    assert held == wanted | {"autograd_lib/py.typed"}


def test_the_sdist_holds_what_the_wheel_is_built_from_and_no_tests(
    tmp_path: Path,
) -> None:
    """Tests without their helpers and their book could not run."""
    source = copy_of_the_tree(tmp_path / "source")
    build = "from setuptools import build_meta; build_meta.build_sdist('..')"
    command = [sys.executable, "-c", build]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(made) as opened:
        held = {name.partition("/")[2] for name in opened.getnames()}
    package = {
        path.relative_to(ROOT).as_posix() for path in module_files(ROOT).values()
    }
    assert package <= held
    assert {"README.md", "LICENSE", "pyproject.toml"} <= held
    folders = {name.partition("/")[0] for name in held if "/" in name}
    assert folders == {"autograd_lib", "autograd_bottom_up.egg-info"}


def test_only_numpy_is_required(wheel: zipfile.ZipFile) -> None:
    needed = metadata(wheel).get_all("Requires-Dist", [])
    always = [line for line in needed if "extra ==" not in line]
    assert len(always) == 1
    assert always[0].startswith("numpy")


def test_name_version_license_and_types(wheel: zipfile.ZipFile) -> None:
    found = metadata(wheel)
    assert found["Name"] == "autograd-bottom-up"
    assert found["Version"] == autograd_lib.__version__
    assert found["License-Expression"] == "MIT AND CC-BY-4.0"
    assert {"LICENSE", "LICENSE-text.md"} == set(found.get_all("License-File", []))
    assert found["Requires-Python"] == ">=3.11"
    assert any("LICENSE" in name for name in wheel.namelist())


def readme_says(number: int) -> str:
    """Run one of the README's programs, and return what it prints."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    program = re.findall(r"(?ms)^```python\n(.*?)^```$", text)[number]
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_first_program_of_the_readme_invents_names() -> None:
    names = readme_says(0).split()
    assert len(names) > 8
    assert sum(len(name) for name in names) / len(names) < 9
    assert all(name.isalpha() and name.islower() for name in names)


def test_the_second_program_of_the_readme_learns_to_read_digits() -> None:
    right, _, rest = readme_says(1).partition(" ")
    assert int(right) >= 345
    assert rest == "of 360 new digits are read correctly\n"


def test_nothing_installs_the_other_package_of_that_name() -> None:
    for path in files_of_the_repository():
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found = INSTALLS_A_STRANGER.search(text)
        assert not found, f"{path}: {found and found[0]}"


@pytest.mark.parametrize("name", ["autograd-lib", "autograd_lib"])
def test_that_search_can_fail(name: str) -> None:
    assert INSTALLS_A_STRANGER.search(f"%pip install --quiet {name}")
    assert not INSTALLS_A_STRANGER.search(f"pip uninstall {name}")


def test_the_lock_names_no_place_and_hashes_everything() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert leaking_lines(lock) == []
    pinned = re.findall(
        r"(?m)^([\w.-]+)==[^\n]*\n( +--hash=sha256:[0-9a-f]{64})?", lock
    )
    assert pinned
    assert all(hashed for _, hashed in pinned)


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://example.org/simple",
        "--find-links /opt/wheels",
        "numpy @ file:///opt/wheels/numpy.whl",
        "    # via -r /home/someone/requirements.txt",
    ],
)
def test_a_place_in_the_lock_is_found(line: str) -> None:
    assert leaking_lines(f"numpy==2.0\n{line}\n") == [line]


def test_the_lock_answers_every_direct_requirement() -> None:
    direct = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    names = re.findall(r"(?m)^([A-Za-z][\w.-]*)", direct)
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = set(re.findall(r"(?m)^([\w.-]+)(?:\[[\w,-]+\])?==", lock))
    assert set(names) <= locked


@pytest.mark.parametrize(
    "line", re.findall(r"(?m)^[A-Za-z].*", Path(ROOT / "requirements.txt").read_text())
)
def test_every_direct_requirement_has_its_reason(line: str) -> None:
    assert re.search(r"  # \S", line)
