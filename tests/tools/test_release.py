"""A release has one version, and its workflow does what it says, in order."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from notebooks.notebook import ROOT
from tools.release import PLACES, faults, main, versions, with_whole_links

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Copy the files that name the version, with a date in the changelog."""
    for place in PLACES:
        (tmp_path / place).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / place, tmp_path / place)
    news = tmp_path / "CHANGELOG.md"
    text = re.sub(r"(?m)^(## \S+) \(.+\)$", r"\1 (2027-01-02)", news.read_text("utf-8"))
    news.write_text(text, encoding="utf-8")
    return tmp_path


def test_there_is_one_version_everywhere() -> None:
    (version,) = set(versions().values())
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)


@pytest.mark.parametrize("place", PLACES)
def test_a_release_is_refused_where_a_place_has_another_version(
    book: Path, place: str
) -> None:
    version = versions()[place]
    assert faults(f"v{version}", book) == []
    path = book / place
    text = path.read_text("utf-8").replace(version, "9.9.9", 1)
    path.write_text(text, encoding="utf-8")
    (fault,) = faults(f"v{version}", book)
    assert fault.startswith(f"{place}: the version is 9.9.9")
    assert len(faults("v9.9.9", book)) == len(PLACES) - 1


def test_a_release_without_a_date_is_refused(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    news = book / "CHANGELOG.md"
    text = news.read_text("utf-8").replace("2027-01-02", "unreleased")
    news.write_text(text, encoding="utf-8")
    (fault,) = faults(f"v{versions()['CITATION.cff']}", book)
    assert "no date" in fault
    assert main(["v9.9.9"]) == 1
    assert "CITATION.cff: the version is" in capsys.readouterr().err


def test_the_readme_can_be_read_on_another_site() -> None:
    url = "https://example.org/a/b"
    text = with_whole_links((ROOT / "README.md").read_text("utf-8"), url)
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert f"{url}/raw/main/.github/screenshot.png" in targets
    assert f"{url}/blob/main/CONTRIBUTING.md" in targets
    assert all(target.startswith("https://") for target in targets)


def test_what_is_published_was_built_and_tried_before() -> None:
    flow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    jobs = flow["jobs"]
    assert jobs["bare"]["needs"] == "package"
    assert len(jobs["bare"]["strategy"]["matrix"]["os"]) == 3
    assert jobs["publish"]["needs"] == ["bare", "paper"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert jobs["publish"]["environment"]["name"] == "pypi"
    assert jobs["attach"]["needs"] == "publish"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_checkout_keeps_its_credentials(path: Path) -> None:
    flow = yaml.safe_load(path.read_text(encoding="utf-8"))
    steps = [step for job in flow["jobs"].values() for step in job["steps"]]
    for step in steps:
        if "actions/checkout" in step.get("uses", ""):
            assert step.get("with", {}).get("persist-credentials") is False
