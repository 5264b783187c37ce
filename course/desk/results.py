"""What became of each submission, and a journal of it, so that a run can go on."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from course.desk.roster import Who, who
from course.judge.verdict import Verdict
from course.sets.questions import Set
from notebooks.notebook import ROOT

SCORED, UNREADABLE, NOT_HANDED_IN = "scored", "unreadable", "not handed in"


@dataclass(frozen=True)
class Result:
    """What became of one student's file; only a scored one has points."""

    student: str
    number: str
    status: str
    file: str = ""
    note: str = ""
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    prints: Mapping[str, str] = field(default_factory=dict)

    @property
    def who(self) -> Who:
        """The key of the student whom it belongs to."""
        return who(self.student, self.number)

    @property
    def points(self) -> float | None:
        """The sum of the points, or None where nothing was scored."""
        if self.status != SCORED:
            return None
        return sum(verdict.points for verdict in self.verdicts.values())


def judge_itself() -> bytes:
    """Return a hash of the judge's code and of the code that it imports."""
    digest = hashlib.sha256()
    for folder in ("course", "notebooks", "autograd_lib"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(path.read_bytes() + b"\0")
    return digest.digest()


class Journal:
    """Results on disk, each under a hash of file, master, seed and judge."""

    def __init__(self, folder: Path, asked: Set, seed: str) -> None:
        self.folder = folder
        master = asked.path.read_bytes()
        made_from = judge_itself() + master + b"\0" + seed.encode()
        self.stem = hashlib.sha256(made_from).hexdigest()

    def place(self, data: bytes, whose: Who) -> Path:
        """Return the path at which the result of a file is kept."""
        content = self.stem.encode() + data + b"\0" + "\0".join(whose).encode()
        return self.folder / f"{hashlib.sha256(content).hexdigest()[:32]}.json"

    def known(self, data: bytes, whose: Who) -> Result | None:
        """Return the result of a file that was judged before, if it was."""
        try:
            kept = json.loads(self.place(data, whose).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        verdicts = {k: Verdict(**v) for k, v in kept.pop("verdicts").items()}
        return Result(**kept, verdicts=verdicts)

    def keep(self, data: bytes, result: Result) -> None:
        """Write a result down."""
        text = json.dumps(asdict(result), ensure_ascii=False)
        write_whole(self.place(data, result.who), text)


def write_whole(path: Path, text: str, private: bool = False) -> None:
    """Write a file so that a reader finds the old one or the new one, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace",
                   newline="\n") as opened:  # fmt: skip
        opened.write(text)
    Path(name).chmod(0o600 if private else 0o644)
    Path(name).replace(path)
