"""What editors, hooks, containers and CONTRIBUTING name is there, and is kept."""

from __future__ import annotations

import configparser
import dataclasses
import json
import re
import shlex
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from notebooks.notebook import ROOT, chapter_paths
from tests.library.operations.case import Case
from tests.tools.helpers.tree import files_of_the_repository

HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def editors() -> dict[str, dict[str, str]]:
    """Return the sections of .editorconfig, braces in their patterns written out."""
    rules = configparser.ConfigParser()
    text = (ROOT / ".editorconfig").read_text(encoding="utf-8")
    rules.read_string("[top]\n" + text)
    return {
        pattern: dict(rules[name])
        for name in rules.sections()[1:]
        for pattern in written_out(name)
    }


def written_out(pattern: str) -> list[str]:
    head, _, rest = pattern.partition("{")
    inside, _, tail = rest.partition("}")
    return [head + one + tail for one in inside.split(",")]


def asked_of(path: Path) -> dict[str, str]:
    """Return what .editorconfig asks of a file; what stands lower goes before."""
    asked: dict[str, str] = {}
    for pattern, rules in editors().items():
        name = path.as_posix() if "/" in pattern else path.name
        if fnmatch(name, pattern):
            asked |= rules
    return asked


def test_editors_are_asked_for_what_the_files_are() -> None:
    for path in files_of_the_repository():
        try:
            text = (ROOT / path).read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        asked = asked_of(path)
        lines = text.split("\n")
        assert "\r" not in text, path
        assert text.endswith("\n") or not text, path
        if asked["trim_trailing_whitespace"] == "true":
            assert not any(line != line.rstrip() for line in lines), path
        tabs = any(line.startswith("\t") for line in lines)
        assert tabs == (asked["indent_style"] == "tab"), path


def test_editors_and_the_linter_agree_on_the_length_of_a_line() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    length = re.findall(r"(?m)^line-length = (\d+)$", project)
    assert [asked_of(Path("tools/check.py"))["max_line_length"]] == length


@pytest.mark.parametrize("name", list(editors()))
def test_every_section_is_of_a_file_that_is_there(name: str) -> None:
    names = [path.as_posix() for path in files_of_the_repository()]
    short = [path.rpartition("/")[2] for path in names]
    assert any(fnmatch(one, name) for one in (names if "/" in name else short))


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


def test_hooks_are_those_of_this_repository_only() -> None:
    assert [repo["repo"] for repo in HOOKS] == ["local"]


def test_the_container_begins_as_the_readme_does() -> None:
    path = ROOT / ".devcontainer" / "devcontainer.json"
    container = json.loads(path.read_text(encoding="utf-8"))
    first = re.findall(
        r"(?m)^```sh\n(make \w+)", (ROOT / "README.md").read_text("utf-8")
    )
    assert container["postCreateCommand"] == first[0]
    tested = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert container["image"].removeprefix("python:") in re.findall(r"3\.\d+", tested)
    (port,) = container["forwardPorts"]
    assert f"$(or $(PORT),{port})" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_what_is_said_of_cases_are_their_fields() -> None:
    """`Case` says what each means; who adds an operation has to have heard of them."""
    (section,) = re.findall(r"(?ms)^## Add an operation\n(.*?)^## ", CONTRIBUTING)
    named = set(re.findall(r"`(\w+)(?:=\w+)?`", section))
    fields = {field.name for field in dataclasses.fields(Case)}
    assert {"complex_step", "twice", "kink"} <= named & fields
