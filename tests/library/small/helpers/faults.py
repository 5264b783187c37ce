"""Broken engines: all the names of a step, and one mechanism less.

`faults.toml` has them: what is changed in which step's engine, which accident notices
it and with which words; and changes that are harmless, with the reason.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from autograd_lib.small.cut import cut

FILE = Path(__file__).parents[1] / "faults.toml"


@dataclass(frozen=True)
class Fault:
    """A change of an engine.

    Attributes:
        name: what is broken.
        changes: pairs of what stands there, and what stands there instead.
        step: in which step's engine.
        accident: the accident that notices it.
        says: what the message has, such as the wrong number and the right one.
        why: why it is harmless, if it is.
    """

    name: str
    changes: list[list[str]]
    step: str = "gpt"
    accident: str = ""
    says: str = ""
    why: str = ""

    def engine(self) -> ModuleType:
        """Return the broken engine.

        Raises:
            ValueError: if what is to be changed does not stand there.
        """
        text = cut(self.step)
        for old, new in self.changes:
            if old not in text:
                raise ValueError(f"{self.name}: {old!r} is not in {self.step}")
            text = text.replace(old, new)
        module = ModuleType("broken")
        exec(compile(text, self.name, "exec"), vars(module))
        return module


def _all(kind: str) -> list[Fault]:
    found: dict[str, list[dict[str, Any]]] = tomllib.loads(FILE.read_text("utf-8"))
    return [Fault(**entry) for entry in found[kind]]


FAULTS = _all("fault")
HARMLESS = _all("harmless")
