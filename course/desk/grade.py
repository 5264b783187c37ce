"""`make grade PS=ps1 FROM=submissions.zip`: judge what was handed in, and report.

    python -m course.desk.grade --from submissions.zip [--set ps1 | --set 05 …]

Without a set, each file is graded as what it holds. Results lie in `grades/`, and a run
that was interrupted goes on where it stopped. With the same seed, which `grades/seed`
keeps, the same files give the same bytes. With `--part 3/20` it judges the third of
twenty parts and reports nothing: several machines that share `grades/` judge a part
each, and a run without it then finds all judged.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import secrets
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from course.desk import canvas, container, free_response
from course.desk.alike import alike, shared_by_few
from course.desk.collect import CollectError, Submission, files, submission
from course.desk.report import called, write_all
from course.desk.results import (
    NOT_HANDED_IN,
    SCORED,
    UNREADABLE,
    Journal,
    Result,
    write_whole,
)
from course.desk.roster import Student, roster
from course.hold import rehearsal
from course.hold.safe import cell
from course.hold.talk import StageFault
from course.judge.judge import Judge
from course.judge.key import KeyFault
from course.sets.questions import Set
from course.sets.selection import chosen
from notebooks.repository import address, site_of

SEVERAL = "{} files; {} was scored, the last of them"


@dataclass(frozen=True)
class Run:
    """One grading: where results go, the seed, and how many attempts run at once."""

    folder: Path
    seed: str
    together: int
    part: tuple[int, int] = (1, 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade as the command line asks; return 0, or 1 after a sentence."""
    options = parser().parse_args(arguments)
    try:
        inside = container.again(options)
        if inside is not None:
            return inside
        sets = chosen(options.set, options.course)
        folder = options.into or (options.course or Path()) / "grades"
        part = options.part
        run = Run(folder, seed_in(folder, options.seed), options.together, part)
        for said in rehearsal.sentences(
            () if container.is_here() else rehearsal.found()
        ):
            print(said, flush=True)
        handed_in = [submission(f, sets) for f in files(options.source)]
        people = roster(options.roster, options.canvas)
        for asked in sets:
            of_set = [s for s in handed_in if s.asked in (asked, None)]
            if any(s.asked for s in of_set) or len(sets) == 1:
                graded = grade(asked, of_set, people, run)
                if run.part == (1, 1):
                    summary(asked, graded, options, run)
    except (CollectError, KeyFault, canvas.CanvasError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except (StageFault, OSError) as error:
        print(f"{error}. What was judged is kept: grade again.", file=sys.stderr)
        return 1
    finally:
        if container.is_here() and options.into:
            container.hand_back(options.into)
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="python -m course.desk.grade",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("--set", action="append", default=[], help="a chapter, 05, or a master, ps1")
    add("--from", dest="source", type=Path, required=True, help="what was handed in")
    add("--course", type=Path, help="the private repository with the masters")
    add("--into", type=Path, help="where results go; grades/ if not given")
    add("--roster", type=Path, help="a CSV with a column student, and perhaps number")
    add("--canvas", type=Path, help="Canvas's export of the gradebook, to be filled")
    add("--column", help="the name of the column in it; the set's, if not given")
    add("--site", default=site_of(address()), help="where the book is, to link to it")
    add("--seed", help="in place of the one that is kept")
    add("--together", type=int, default=os.cpu_count() or 1, help="attempts at once")
    add("--part", type=part_of, default=(1, 1), help="such as 3/20: of what waits")
    add("--container", choices=("auto", "no"), default="auto", help="if there is one")
    return made


def part_of(text: str) -> tuple[int, int]:
    """Return the number of a part and the number of parts, from text such as 3/20.

    Raises:
        argparse.ArgumentTypeError: if it says anything else.
    """
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 0 < int(number) <= int(of)):
        raise argparse.ArgumentTypeError(
            f"--part is a number of how many, such as 3/20, got {text!r}"
        )
    return int(number), int(of)


def seed_in(folder: Path, given: str | None = None) -> str:
    """Return the seed, created on first use and readable by its owner alone."""
    place = folder / "seed"
    if given:
        return given
    if not place.is_file():
        write_whole(place, secrets.token_hex(16) + "\n", private=True)
    return place.read_text(encoding="utf-8").strip()


def grade(
    asked: Set, handed_in: Sequence[Submission], people: Sequence[Student], run: Run
) -> list[Result]:
    """Judge what was handed in for one set, and write the results."""
    journal = Journal(run.folder / ".journal", asked, run.seed)
    results = [unreadable(s) for s in handed_in if s.asked is None]
    waiting = []
    number, of = run.part
    everybodys = sorted(
        latest([s for s in handed_in if s.asked]), key=lambda s: s.file.who
    )
    for s in everybodys[number - 1 :: of]:
        known = journal.known(s.file.data, s.file.who)
        if known:
            results.append(known)
        else:
            waiting.append(s)
    print(f"{asked.name}: {len(waiting)} to judge, {len(results)} known.", flush=True)
    if waiting:
        results += judged(asked, waiting, journal, run)
    if run.part != (1, 1):
        return results
    results = with_counts(once_each(results), handed_in) + absent(people, results)
    results.sort(key=lambda r: (r.student, r.number, r.file))
    return by_hand(asked, handed_in, results, run)


def unreadable(s: Submission) -> Result:
    """Return the result of a file that is no notebook of this set."""
    return Result(s.file.student, s.file.number, UNREADABLE, s.file.path, s.problem)


def latest(handed_in: Sequence[Submission]) -> list[Submission]:
    """Keep a student's last file, in the order of names."""
    return list({s.file.who: s for s in handed_in}.values())


def with_counts(
    results: Sequence[Result], handed_in: Sequence[Submission]
) -> list[Result]:
    """Add a note to results of students with several files: which one was scored."""
    counts = Counter(s.file.who for s in handed_in if s.asked)
    return [
        replace(r, note="; ".join(filter(None, [SEVERAL.format(n, r.file), r.note])))
        if r.status == SCORED and (n := counts[r.who]) > 1
        else r
        for r in results
    ]


def once_each(results: Sequence[Result]) -> list[Result]:
    """Leave out unreadable files of students who have a scored one."""
    scored = {r.who for r in results if r.status == SCORED}
    return [r for r in results if r.status == SCORED or r.who not in scored]


def absent(people: Sequence[Student], results: Sequence[Result]) -> list[Result]:
    """Return a result for everybody on the roster who handed nothing in.

    A number is looked for first; a name counts where it is nobody's whose number fits.
    """
    numbers = {canvas.simple(r.number) for r in results if r.number}
    by_number = {canvas.simple(p.number) for p in people if p.number} & numbers
    names = {
        canvas.simple(n)
        for r in results
        if canvas.simple(r.number) not in by_number
        for n in (r.student, r.number)
        if n
    }
    return [
        Result(p.name, p.number, NOT_HANDED_IN)
        for p in people
        if not {canvas.simple(p.number), canvas.simple(p.name)} & (by_number | names)
    ]


def judged(
    asked: Set, waiting: Sequence[Submission], journal: Journal, run: Run
) -> list[Result]:
    """Judge submissions side by side; each is written down as it is done."""
    also: defaultdict[str, list[str]] = defaultdict(list)
    for s in waiting:
        for label, names in s.free.items():
            also[label].append(names)
    judge = Judge(asked, run.seed, also)
    counting, done = threading.Lock(), 0

    def one(s: Submission) -> Result:
        nonlocal done
        verdicts = {
            q.label: judge.verdict(q, s.answers[q.label]) for q in asked.questions
        }
        notes = [f"{label} {a.note}" for label, a in s.answers.items() if a.note]
        prints = {
            label: own
            for label, own in s.prints.items()
            if verdicts[label].status not in ("untouched", "missing")
        }
        result = Result(
            s.file.student, s.file.number, SCORED, s.file.path, "; ".join(notes),
            verdicts, prints,
        )  # fmt: skip
        journal.keep(s.file.data, result)
        with counting:
            done += 1
            print(f"\r{asked.name}: {done} of {len(waiting)}", end="", flush=True)
        return result

    try:
        with ThreadPoolExecutor(run.together) as pool:
            return list(pool.map(one, waiting))
    finally:
        print()
        judge.close()


def by_hand(
    asked: Set, handed_in: Sequence[Submission], results: list[Result], run: Run
) -> list[Result]:
    """Collect the free responses, and add the points that were entered for them."""
    in_words = free_response.questions(asked)
    if not in_words:
        return results
    texts = {
        (s.file.student, s.file.number): s.words for s in latest(handed_in) if s.asked
    }
    form = run.folder / f"{asked.name}-written.csv"
    write_whole(form, free_response.form(in_words, texts, form))
    for q in in_words:
        of_all = {whose: by_label[q.label] for whose, by_label in texts.items()}
        place = run.folder / f"{asked.name}-written-{q.label}.md"
        write_whole(place, free_response.page(q, of_all))
    points = free_response.merged(form)
    answers = {
        (cell(student), number, q.label) for student, number in texts for q in in_words
    }
    of = f"{len(answers & {*points})} of {len(answers)}"
    print(f"{asked.name}: {of} answers in words have points.")
    for student, number, label in sorted({*points} - answers):
        whose = f"{student} {number}".strip()
        print(f"There are points for {label} of {whose}, and no answer.")
    return free_response.with_points(results, points)


def summary(
    asked: Set, results: Sequence[Result], options: argparse.Namespace, run: Run
) -> None:
    """Write the reports of a set, and print a summary."""
    names = called(results)
    groups = alike({names[r.who]: r.prints for r in results})
    scored = [r for r in results if r.status == SCORED]
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for label, who in shared_by_few(groups, len(scored)):
        print(f"The same answer to {label}: {', '.join(who)}")
        for student in who:
            others = ", ".join(w for w in who if w != student)
            notes[student].append(f"{label} as {others}")
    write_all(asked, results, run.folder, options.site)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows.writerow(["student", "same answers"])
    rows.writerows([cell(s), cell("; ".join(n))] for s, n in sorted(notes.items()))
    write_whole(run.folder / f"{asked.name}-same-answers.csv", out.getvalue())
    counts = [
        f"{sum(r.status == status for r in results)} {status}"
        for status in (SCORED, UNREADABLE, NOT_HANDED_IN)
    ]
    shown = Path(os.environ.get(container.INSIDE, run.folder)) / f"{asked.name}.csv"
    print(f"{asked.name}: {', '.join(counts)}. See {shown}.")
    if options.canvas:
        most = free_response.most(asked)
        column = options.column or asked.name
        text = canvas.filled(options.canvas, column, results, most)
        write_whole(run.folder / f"{asked.name}-canvas.csv", text)


if __name__ == "__main__":
    sys.exit(main())
