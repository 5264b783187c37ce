"""Grading in a container: the same bytes as without it, and nothing to reach from it.

With AUTOGRAD_REQUIRE_CONTAINER=1 the image is built where it is not there, which takes
minutes and a network, and no test is skipped.
"""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.desk import container
from course.desk.collect import files
from course.desk.grade import main, parser
from course.sets.questions import read_set
from notebooks.notebook import write
from tests.course.helpers.masters import WRONG, master
from tests.course.helpers.submissions import answered

CLASS = {
    "ada": "def scaled(upstream, x):\n    return 2 * x * upstream",
    "bob": WRONG,
    "cyd": "def scaled(upstream, x):\n    return 1 / 0",
    "dot": "def scaled(upstream, x):\n    while True: pass",
    "eve": "import os\nos._exit(0)",
}
LOOKS = """\
def scaled(upstream, x):
    import os, socket
    held = [not os.path.exists(path) for path in ("/given/course", "/given/into/seed")]
    try:
        socket.socket().connect(("192.0.2.1", 9))
    except OSError:
        held.append(True)
    for place in ("/book/x", "/given/into/x", "/x"):
        try:
            open(place, "w")
        except OSError:
            held.append(True)
    raise RuntimeError(f"held: {held.count(True)}, {os.getuid() != 0}")
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Write a master, and what a class handed in."""
    master(tmp_path)
    hand_in(tmp_path, CLASS)
    return tmp_path


def hand_in(course: Path, answers: dict[str, str]) -> None:
    """Write a file for each student."""
    asked = read_set(course / "masters" / "ps9.ipynb")
    for student, answer in answers.items():
        place = course / "in" / student / "ps9.ipynb"
        place.parent.mkdir(parents=True, exist_ok=True)
        write(answered(asked, lambda _, answer=answer: answer), place)


def given(course: Path, *more: str, source: str = "in") -> list[str]:
    """Return what the command line of a grading says."""
    asked = ["--from", str(course / source), "--course", str(course), "--set", "ps9"]
    return [*asked, "--seed", "s", *more]


def options(course: Path, *more: str, source: str = "in") -> Namespace:
    """Return the same, read."""
    return parser().parse_args(given(course, *more, source=source))


@pytest.fixture
def image() -> str:
    """Return the engine, whose image is there; else the test is skipped."""
    name = container.engine()
    needed = os.environ.get("AUTOGRAD_REQUIRE_CONTAINER") == "1"
    if not name and not needed:
        pytest.skip("no Docker or Podman answers here")
    if not needed and container.called([name, "image", "inspect", container.tag()]):
        pytest.skip("the image of the course's judge has not been built here")
    assert name, "AUTOGRAD_REQUIRE_CONTAINER is set, and no engine answers"
    assert container.built(name)
    return name


def contents(folder: Path) -> dict[str, bytes]:
    """Return the results, without the journal, whose names follow from paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_container_gives_the_same_bytes_as_none(
    image: str, course: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    inside, outside = course / "inside", course / "outside"
    inside.mkdir()
    if os.getuid() == 0:
        os.chown(inside, 1234, 1234)
    assert main(given(course, "--into", str(inside))) == 0
    said = capfd.readouterr().out
    assert f"See {inside}/ps9.csv." in said and "Without a container" not in said
    assert main(given(course, "--into", str(outside), "--container", "no")) == 0
    assert contents(inside) == contents(outside)
    owners = {path.stat().st_uid for path in inside.rglob("*")}
    assert owners == {inside.stat().st_uid}


def test_nothing_can_be_reached_from_a_container(image: str, course: Path) -> None:
    hand_in(course, {"eve": LOOKS})
    assert main(given(course)) == 0
    page = (course / "grades" / "feedback" / "ps9" / "eve.md").read_text("utf-8")
    assert "held: 6, True" in page
    assert not list(Path(course / "grades").rglob("x"))


def test_the_command_has_no_network_and_one_place_to_write(course: Path) -> None:
    command = container.command("docker", options(course))
    assert {"--network=none", "--read-only", "--cap-drop=ALL"} <= {*command}
    volumes = [word for word in command if word.startswith("--volume=")]
    assert [v for v in volumes if not v.endswith(":ro")] == [
        f"--volume={(course / 'grades').resolve()}:/given/into"
    ]


def test_what_is_asked_of_grading_is_asked_in_a_container(course: Path) -> None:
    asked = ("--part", "3/20", "--site", "https://example.org/")
    words = container.command("docker", options(course, *asked))
    inside = parser().parse_args(words[words.index("course.desk.grade") + 1 :])
    assert (inside.part, inside.site) == ((3, 20), "https://example.org/")
    assert (inside.set, inside.seed) == (["ps9"], "s")


def test_what_is_not_there_is_said_without_a_container(
    course: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(container, "engine", lambda: pytest.fail("it was looked for"))
    assert main(given(course, source="nowhere")) == 1
    assert "There is nothing at" in capsys.readouterr().err


def test_repositories_are_cloned_where_there_is_a_network(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cloned(address: str, place: Path) -> bool:
        place.mkdir()
        (place / "ps9.ipynb").write_bytes((course / address).read_bytes())
        return True

    monkeypatch.setattr("course.desk.collect.cloned", cloned)
    (course / "list.txt").write_text("ada in/ada/ps9.ipynb\nbob in/bob/ps9.ipynb\n")
    asked = options(course, source="list.txt")
    there = container.without_network(asked, tmp_path / "there").source
    assert files(there) == files(asked.source)
    assert len(files(there)) == 2
