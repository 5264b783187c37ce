"""Fetch files from the first source that has them, and refuse wrong hashes."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from live.tools.assets import Assets, File
from live.tools.sources import (
    Cache,
    Carrier,
    Missing,
    Npm,
    Official,
    Pypi,
    Source,
    Unreachable,
)


class FetchError(Exception):
    """No source has a file with the right hash; the message has their answers."""


class Fetcher:
    """Asks sources in order.

    Args:
        cache: asked first, and kept up to date.
        sources: the others.
    """

    def __init__(self, cache: Cache, sources: Sequence[Source]) -> None:
        self.cache = cache
        self.sources = sources
        self.down: dict[str, str] = {}

    def get(self, file: File) -> bytes:
        """Return a file.

        Raises:
            FetchError: if no source has it.
        """
        said = []
        for source in (self.cache, *self.sources):
            if source.name in self.down:
                said.append(f"{source.name}: {self.down[source.name]}")
                continue
            try:
                content = source.get(file)
            except Missing as error:
                said.append(f"{source.name}: {error}")
                if isinstance(error, Unreachable):
                    self.down[source.name] = str(error)
                continue
            digest = hashlib.sha256(content).hexdigest()
            if digest not in file.sha256:
                said.append(f"{source.name}: refused, its hash is {digest}")
                continue
            if source is not self.cache:
                self.cache.put(digest, content)
            return content
        raise FetchError(f"{file.path} cannot be had ({'; '.join(said)})")


def fetcher(assets: Assets) -> Fetcher:
    """Return the fetcher of a build: cache, official, npm, and PyPI."""
    sources: list[Source] = [
        Official(assets.official),
        Npm(),
        Carrier(assets.carrier, assets.carrier_folder),
        Pypi(),
    ]
    return Fetcher(Cache(cache_folder()), sources)


def cache_folder() -> Path:
    """Return the folder of this user's caches; AUTOGRAD_CACHE names another one."""
    named = os.environ.get("AUTOGRAD_CACHE")
    if named:
        return Path(named)
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local"))
    elif sys.platform == "darwin":
        base = home / "Library/Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", home / ".cache"))
    return base / "autograd-bottom-up"
