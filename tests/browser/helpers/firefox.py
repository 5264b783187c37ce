"""A real Firefox, driven by WebDriver BiDi, which needs no driver program beside it."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import websocket

NAMES = ("firefox-esr", "firefox")
STARTS = 60


class Firefox:
    """One tab of a Firefox that listens at a port.

    Args:
        port: the port.
    """

    def __init__(self, port: int) -> None:
        self.numbers = itertools.count(1)
        self.socket = connected(port)
        self.call("session.new", capabilities={})
        tree = self.call("browsingContext.getTree")
        self.tab = tree["contexts"][0]["context"]

    def call(self, method: str, **params: Any) -> Any:
        """Send a command and return its result."""
        number = next(self.numbers)
        command = {"id": number, "method": method, "params": params}
        self.socket.send(json.dumps(command))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, address: str) -> None:
        """Open a page and wait until it is complete."""
        where = {"context": self.tab, "url": address}
        self.call("browsingContext.navigate", wait="complete", **where)

    def run(self, script: str) -> Any:
        """Run JavaScript in the page; return its value, if it is a simple one."""
        target = {"context": self.tab}
        done = self.call(
            "script.evaluate", expression=script, target=target, awaitPromise=True
        )
        assert done["type"] == "success", done
        return done["result"].get("value")

    def wait_for(self, script: str, words: str, seconds: float) -> str:
        """Wait until the text that a script returns has certain words; return it."""
        end = time.monotonic() + seconds
        while not re.search(words, text := str(self.run(script))):
            assert time.monotonic() < end, text
            time.sleep(0.3)
        return text


def connected(port: int) -> Any:
    """Return a connection to a Firefox that is about to start."""
    for _ in range(STARTS):
        with contextlib.suppress(OSError):
            return websocket.create_connection(
                f"ws://127.0.0.1:{port}/session", suppress_origin=True, timeout=120
            )
        time.sleep(1)
    pytest.fail("Firefox does not listen")


@contextlib.contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Start a Firefox with an empty profile, or skip the test where there is none."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Firefox was found")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--headless", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(
        [program, *options, f"--remote-debugging-port={port}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        browser = Firefox(port)
        yield browser
        browser.socket.close()
    finally:
        process.terminate()
        process.wait(timeout=30)
