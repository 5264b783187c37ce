"""The linter and the formatter agree, on the notebooks too, and so do the hooks."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from notebooks.notebook import ROOT, chapter_paths

PINNED = re.compile(r"[\w-]+/[\w/-]+@[0-9a-f]{40}")
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize(
    "command",
    [("ruff", "check"), ("ruff", "format", "--check")],
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


@pytest.mark.parametrize(
    "hook", [h for repo in HOOKS for h in repo["hooks"]], ids=lambda hook: hook["id"]
)
def test_hooks_run_what_is_installed_on_files_that_are_there(hook: Any) -> None:
    assert hook["language"] == "system"  # nothing is downloaded
    python, *command = shlex.split(hook["entry"])
    assert python == ".venv/bin/python"
    chapter = chapter_paths()[0].relative_to(ROOT).as_posix()
    assert re.search(hook.get("files", ""), chapter)
    done = subprocess.run(
        [sys.executable, *command, chapter], cwd=ROOT, capture_output=True, check=False
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
