"""Serve the built book on this machine: `python -m tools.serve`."""

from __future__ import annotations

import argparse
import sys
import threading
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tools.build import ROOT, stamp_of

HTML = ROOT / "_build" / "html"


class Quiet(SimpleHTTPRequestHandler):
    """A file server that keeps its log to itself."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def server(directory: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of `directory` that only this machine can reach.

    Args:
        directory: the directory to serve.
        port: the port; 0 takes a free one.
    """
    handler = partial(Quiet, directory=str(directory))
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


def main(argv: list[str] | None = None) -> int:
    """Serve the book until Ctrl+C; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__)
    parser.add_argument("--port", type=int, default=8000, help="default: 8000")
    parser.add_argument(
        "--no-browser", action="store_true", help="do not open a browser"
    )
    options = parser.parse_args(argv)
    if not stamp_of(HTML).exists():
        print("There is no complete book to serve. Run: make book", file=sys.stderr)
        return 1
    try:
        site = server(HTML, options.port)
    except OSError:
        site = server(HTML)
    address = f"http://127.0.0.1:{site.server_address[1]}/"
    print(f"The book is at {address} (Ctrl+C stops)", flush=True)
    if not options.no_browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    try:
        site.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        site.server_close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
