"""A server of files that only this machine can reach."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    """A file server that keeps its log to itself."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def server(directory: Path) -> ThreadingHTTPServer:
    """Return a server of `directory` at a free port."""
    handler = partial(Quiet, directory=str(directory))
    return ThreadingHTTPServer(("127.0.0.1", 0), handler)
