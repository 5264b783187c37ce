"""`make engine STEPS=graph FROM=submissions.zip`: judge the engines of a class.

    python -m course.engine STEP … --from submissions.zip

A lab is of one step or several, as a week has them: `number`, `order`, … `gpt`. Each
accident of theirs that a student's `mine.py` passes is a point. With `whole`, all are.
The seed in `grades/` is that of `make grade`, and results lie beside its own.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course.desk import canvas
from course.desk.collect import ENGINE, CollectError, File, files
from course.desk.grade import absent, seed_in
from course.desk.report import called, shown
from course.desk.results import SCORED, UNREADABLE, Result, write_whole
from course.desk.roster import roster
from course.engine.bench import Lab, Report, judged, lab
from course.hold import rehearsal
from course.hold.safe import cell, line, page_name, plain_text

SIGNS = {"right": "✓", "wrong": "✗", "missing": "·"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge as the command line asks; return 0, or 1 after a sentence."""
    options = parser().parse_args(arguments)
    try:
        of = lab(options.steps)
        folder = options.into or (options.course or Path()) / "grades"
        seed = seed_in(folder, options.seed)
        for said in rehearsal.sentences(rehearsal.found()):
            print(said, flush=True)
        found = list({f.who: f for f in files(options.source, ENGINE)}.values())
        with ThreadPoolExecutor(options.together) as pool:
            results = list(pool.map(lambda f: result(of, f, seed), found))
        results += absent(roster(options.roster, options.canvas), results)
        write_all(of, results, folder)
        if options.canvas:
            column, most = options.column or of.name, float(len(of.accidents))
            text = canvas.filled(options.canvas, column, results, most)
            write_whole(folder / f"{of.name}-canvas.csv", text)
    except (CollectError, canvas.CanvasError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    count = sum(r.status == SCORED for r in results)
    print(f"{of.name}: {count} of {len(results)} scored. See {folder / of.name}.csv.")
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="python -m course.engine",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("steps", nargs="+", metavar="STEP", help="the steps of the lab, or whole")
    add("--from", dest="source", type=Path, required=True, help="what was handed in")
    add("--course", type=Path, help="the private repository")
    add("--into", type=Path, help="where results go; grades/ if not given")
    add("--roster", type=Path, help="a CSV with a column student, and perhaps number")
    add("--canvas", type=Path, help="Canvas's export of the gradebook, to be filled")
    add("--column", help="the name of the column in it; the lab's, if not given")
    add("--seed", help="in place of the one that is kept")
    add("--together", type=int, default=os.cpu_count() or 1, help="engines at once")
    return made


def result(of: Lab, file: File, seed: str) -> Result:
    """Judge one file."""
    if file.problem:
        return Result(file.student, file.number, UNREADABLE, file.path, file.problem)
    try:
        source = file.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        problem = "it is no text in UTF-8"
        return Result(file.student, file.number, UNREADABLE, file.path, problem)
    found: Report = judged(of, source, seed)
    note = line(found.note)
    return Result(file.student, file.number, SCORED, file.path, note, found.verdicts)


def write_all(of: Lab, results: Sequence[Result], folder: Path) -> None:
    """Write a table of a lab, and a page for each student."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows.writerow(["student", "number", "status", "points", "of", *of.accidents,
                   "file", "note"])  # fmt: skip
    names = called(results)
    for r in sorted(results, key=lambda r: (r.student, r.number)):
        each = [r.verdicts[a].status if a in r.verdicts else "" for a in of.accidents]
        about = [cell(r.student), r.number, r.status, shown(r.points), most(of, r)]
        rows.writerow([*about, *each, cell(r.file), cell(r.note)])
        place = folder / "feedback" / of.name / f"{page_name(names[r.who])}.md"
        write_whole(place, page(of, r))
    write_whole(folder / f"{of.name}.csv", out.getvalue())


def most(of: Lab, r: Result) -> int:
    """Return how many accidents are marked: of numbers, none once there are tensors."""
    return len(r.verdicts) or len(of.accidents)


def page(of: Lab, r: Result) -> str:
    """Return a student's page, in Markdown."""
    lines = [f"# {of.name}: {plain_text(r.student)}", ""]
    if r.status != SCORED:
        return "\n".join([*lines, f"Not scored: {plain_text(r.note or r.status)}.", ""])
    lines += [f"{shown(r.points)} of {most(of, r)} accidents passed.", ""]
    for name, v in r.verdicts.items():
        said = f": {plain_text(line(v.message))}" if v.message else ""
        lines.append(f"- {SIGNS[v.status]} {name}{said}")
    if r.note:
        lines.append(f"{plain_text(r.note)}.")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
