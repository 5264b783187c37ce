"""`make gradescope PS=ps1`: a zip for Gradescope, which judges each upload there.

    python -m course.systems.gradescope ps1 --course ../autograd-course

In Gradescope's container the judge is root, the key is readable by root alone, and a
student's code runs as nobody. Students see what their feedback page would say. The zip
holds the key, so it lies in a folder of its own, `autograder`, and not in `handout`.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from course.desk.report import CASE, SIGNS, said_of
from course.desk.results import SCORED, write_whole
from course.judge.verdict import Verdict
from course.sets import sections
from course.sets.questions import Set
from course.sets.selection import chosen
from notebooks.notebook import ROOT
from notebooks.repository import address, site_of

TEMPLATES = Path(__file__).parents[1] / "templates" / "gradescope"
CARRIED = (
    *("autograd_lib", "chapters", "course", "notebooks"),
    *("_config.yml", "requirements.lock"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a zip, or, inside Gradescope, turn results into `results.json`."""
    parser = argparse.ArgumentParser(prog="python -m course.systems.gradescope")
    parser.add_argument("set", help="a chapter, 05, or a master, ps1")
    parser.add_argument("--course", type=Path, help="the folder with the masters")
    parser.add_argument("--into", type=Path, default=Path("autograder"))
    parser.add_argument("--results", type=Path, help="a JSON of the judge's")
    options = parser.parse_args(arguments)
    try:
        (asked,) = chosen([options.set], options.course)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if options.results:
        whole = json.loads(options.results.read_text(encoding="utf-8"))["results"]
        text = json.dumps(
            as_results(asked, whole, site_of(address())), ensure_ascii=False, indent=1
        )
        write_whole(options.into, text + "\n")
        return 0
    options.into.mkdir(parents=True, exist_ok=True)
    print(zipped(asked, options.into / f"gradescope-{asked.name}.zip"))
    return 0


def zipped(asked: Set, place: Path) -> Path:
    """Write the autograder of a set."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as made:
        for path in carried():
            made.write(path, f"book/{path.relative_to(ROOT).as_posix()}")
        if asked.path.parent.name == "masters":
            made.write(asked.path, f"course/masters/{asked.path.name}")
        made.writestr("set", asked.name)
        made.writestr("seed", secrets.token_hex(16))
        for name in ("setup.sh", "run_autograder"):
            item = zipfile.ZipInfo(name)
            item.external_attr = 0o755 << 16
            made.writestr(item, (TEMPLATES / name).read_text(encoding="utf-8"))
    return place


def carried() -> Iterator[Path]:
    """Yield the files of the book that judging needs."""
    for name in CARRIED:
        path = ROOT / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                yield file


def as_results(
    asked: Set, results: Sequence[dict[str, Any]], site: str = ""
) -> dict[str, Any]:
    """Return one upload's results in the form that Gradescope reads."""
    hidden = {"stdout_visibility": "hidden"}
    scored = [r for r in results if r["status"] == SCORED]
    if not scored:
        why = results[0]["note"] if results else "There is no notebook in the upload."
        return {"score": 0, "output": f"Nothing was scored. {why}", **hidden}
    verdicts = scored[0]["verdicts"]
    tests = []
    for question in asked.questions:
        found = verdicts[question.label]
        said = said_of(Verdict(**found))
        output = f"{SIGNS.get(found['status'], '✗')} {said}".strip()
        for name, value in zip(CASE, found["case"], strict=False):
            output += f"\n{name}: {value}"
        if found["section"]:
            output += f"\n{sections.named(found['section'], site)}"
        tests.append(
            {
                "name": f"Exercise {question.label}: {question.name}",
                "score": found["points"],
                "max_score": question.points,
                "status": "passed" if found["status"] == "right" else "failed",
                "output": output,
            }
        )
    return {"tests": tests, **hidden}


if __name__ == "__main__":
    sys.exit(main())
