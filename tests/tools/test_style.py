"""The linter, the formatter and the type checker agree, on the notebooks too."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from notebooks.notebook import ROOT

PINNED = re.compile(r"[\w-]+/[\w/-]+@[0-9a-f]{40}")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize(
    "command",
    [("ruff", "check"), ("ruff", "format", "--check"), ("mypy",)],
    ids=" ".join,
)
def test_nothing_to_complain_about(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_workflows() -> None:
    names = [path.stem for path in WORKFLOWS]
    assert names == ["pages", "release", "test", "weekly"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_pin_their_actions_and_ask_for_little(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    flow = yaml.safe_load(text)
    assert flow["permissions"] == {"contents": "read"}
    for job in flow["jobs"].values():
        assert "timeout-minutes" in job or "uses" in job
        for step in job.get("steps", []):
            assert "uses" not in step or PINNED.fullmatch(step["uses"]), step
    assert len(re.findall(r"uses: \S+@\S+ # v\d", text)) == text.count("uses: ")
