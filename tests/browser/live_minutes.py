"""How long *Run all* takes in a browser: `python -m tests.browser.live_minutes 18 20`.

It runs pages of the built book in Chromium, and keeps their seconds, with the day, in
`live/minutes.toml`, from which the pages tell their readers. Seconds are those for
which a processor worked for the browser, since other programs may hold it up. A page
that has not ended after `LONGEST` by the clock is stopped, and it is kept that it takes
at least what was worked until then.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from playwright.sync_api import BrowserContext
from playwright.sync_api import TimeoutError as TooLong

from notebooks.notebook import ROOT, notebook_paths
from tests.browser.helpers.live_site import browsing, opened, serving

KEPT = ROOT / "live" / "minutes.toml"
LONGEST = 480  # seconds
TICKS = os.sysconf("SC_CLK_TCK")
HEAD = """\
# Seconds for which a processor worked while *Run all* ran a page in Chromium, Python
# being there, each with the day. By the clock it takes longer on a machine that does
# other work too. `at_least`: it was stopped before its end.
# Written by `python -m tests.browser.live_minutes`.
"""


def main(names: Sequence[str]) -> None:
    """Measure the pages whose names begin so, and keep what is measured."""
    paths = [path for path in notebook_paths() if path.name.startswith(tuple(names))]
    with serving() as site, browsing() as context:
        for path in paths:
            page = path.relative_to(ROOT).with_suffix("").as_posix()
            seconds, ended = measured(context, f"{site.address}{page}.html")
            sys.stdout.write(f"{page}: {seconds:.0f} s\n")
            keep(KEPT, page, round(seconds), ended, date.today())


def measured(context: BrowserContext, address: str) -> tuple[float, bool]:
    """Return the seconds that all cells of a page take, and whether all ran."""
    live = opened(context, address).start()
    before = worked()
    try:
        said = live.run_all(timeout=LONGEST * 1000)
    except TooLong:
        said = ""
    seconds = worked() - before
    sys.stdout.write(f"{said or live.status()}\n")
    live.page.close()
    return seconds, "have run" in said


def worked() -> float:
    """Return the seconds that the processes below this one have worked."""
    parents, ticks = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(folder.name)] = int(fields[1])
        ticks[int(folder.name)] = int(fields[11]) + int(fields[12])
    own = {os.getpid()}
    while more := {one for one, above in parents.items() if above in own} - own:
        own |= more
    return sum(ticks[one] for one in own - {os.getpid()}) / TICKS


def keep(path: Path, page: str, seconds: int, ended: bool, day: date) -> None:
    """Write one measurement into the file of all."""
    kept = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    kept[page] = {"seconds": seconds, "day": day}
    if not ended:
        kept[page]["at_least"] = True
    rows = ""
    for name, one in sorted(kept.items()):
        said = ", ".join(f"{key} = {value}" for key, value in one.items())
        rows += f'"{name}" = {{ {said} }}\n'.replace("True", "true")
    path.write_text(HEAD + rows, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
