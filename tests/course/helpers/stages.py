"""A stage that has run a small page serves all tests of this page.

To start one takes seconds: it imports the library, as it does once for a class. Those
of chapters, which are asked for once, end with their judge and leave their memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple

import pytest

from course.hold.talk import Stage
from course.judge import judge
from course.sets.page import Step

SMALL = 2_000  # characters of a page; that of the tests' own problem set has 270


class KeptStage(Stage):
    """A stage whose end only a fault, or the end of all tests, brings."""

    def wait(self) -> None:
        """Wait until it has run the page, the first time."""
        if not self.ready:
            super().wait()

    def close(self) -> None:
        """End it if it is of no more use."""
        alive = self.process is not None and self.process.poll() is None
        if not (alive and self.ready):
            super().close()

    def end(self) -> None:
        """End it."""
        super().close()


def kept() -> Iterator[None]:
    """Let judges of one page share a stage, until this generator goes on."""
    found: dict[str, KeptStage] = {}

    def stage(page: Sequence[Step]) -> Stage:
        text = json.dumps([astuple(step) for step in page])
        if len(text) > SMALL:
            return Stage(page)
        one = found.get(text)
        if one is None or one.process is None or one.process.poll() is not None:
            one = found[text] = KeptStage(page)
        return one

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "Stage", stage)
        yield
    for one in found.values():
        one.end()
