"""The repository's address is one setting, and every copy of it agrees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from notebooks.fingerprint import fingerprint, stored_fingerprint
from notebooks.notebook import ROOT, notebook_paths, read, tagged
from notebooks.repository import address
from notebooks.setup_cell import stamped_address
from tests.tools.helpers.tree import copy_of_the_tree
from tools.repository import main, normalised, stamp

URL = "https://example.org/someone/book"


def addresses(root: Path) -> dict[str, str]:
    """Return the address found in each place that holds one."""
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    found = {
        "_config.yml": config["repository"]["url"],
        "pyproject.toml": project["project"].get("urls", {}).get("Repository", ""),
    }
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    found["CITATION.cff"] = citation.get("repository-code", "")
    for path in notebook_paths(root):
        (cell,) = tagged(read(path), "setup")
        found[path.name] = stamped_address(cell.source)
    return found


def test_the_tree_agrees_with_its_setting() -> None:
    assert set(addresses(ROOT).values()) == {address()}


def test_stamping_reaches_every_place_and_clearing_restores_it(tmp_path: Path) -> None:
    root = copy_of_the_tree(tmp_path / "book")
    stamp("", root)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    changed = stamp(URL, root)
    assert set(addresses(root)) == set(changed)
    assert set(addresses(root).values()) == {URL}
    assert stamp(URL, root) == []
    for path in notebook_paths(root):
        notebook = read(path)
        assert stored_fingerprint(notebook) == stored_fingerprint(
            read(ROOT / path.relative_to(root))
        )
        assert fingerprint(notebook, root) == fingerprint(
            read(ROOT / path.relative_to(root))
        )
    stamp("", root)
    assert {path: path.read_bytes() for path in before} == before


def test_where_github_publishes_the_pages_the_package_says_so(tmp_path: Path) -> None:
    root = tmp_path / "book"
    root.mkdir()
    for name in ("_config.yml", "pyproject.toml"):
        (root / name).write_bytes((ROOT / name).read_bytes())
    stamp("https://github.com/someone/book", root)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["urls"] == {
        "Repository": "https://github.com/someone/book",
        "Issues": "https://github.com/someone/book/issues",
        "Documentation": "https://someone.github.io/book/",
    }
    stamp(URL, root)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert "Documentation" not in project["project"]["urls"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        (URL, URL),
        (URL + "/", URL),
        (URL + ".git", URL),
        (f" {URL}.git/ ", URL),
        ("https://example.org/group/part/book", "https://example.org/group/part/book"),
    ],
)
def test_addresses_are_normalised(given: str, kept: str) -> None:
    assert normalised(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "git@example.org:someone/book",
        "http://example.org/someone/book",
        "https://example.org/book",
        "https://example.org/someone/book?tab=readme",
        'https://example.org/someone/b"ook',
        "https://user:secret@example.org/someone/book",
        "someone/book",
    ],
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(given))):
        normalised(given)


def test_the_command_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "make repository URL=" in capsys.readouterr().err
    assert main(["nowhere"]) == 1
    assert "https://" in capsys.readouterr().err
