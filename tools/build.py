"""Build the book: `python -m tools.build` writes it to _build/html.

Any warning fails the build, broken links between pages included. So does a difference
between the pages and the table of contents: a Jupyter Book of another major version
exits with 0 and writes nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from sphinx_external_toc.parsing import parse_toc_yaml

from live.tools import site as live
from press.edition import edition_of, stamp_of
from press.site import offline
from press.site.finish import finish
from press.site.problem import SiteError
from tools import sbom

ROOT = Path(__file__).resolve().parents[1]
SPHINX = "_build/sphinx"
MADE_BY_SPHINX = {"genindex", "search"}


class BuildError(Exception):
    """The book cannot be built; the message says why."""


def main(argv: list[str] | None = None) -> int:
    """Build the book or check its external links; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.build", description=__doc__)
    parser.add_argument(
        "--builder",
        choices=["html", "linkcheck"],
        default="html",
        help="html makes the pages; linkcheck visits every external link",
    )
    builder = parser.parse_args(argv).builder
    try:
        if builder == "html":
            print(build(ROOT))
        else:
            check_links(ROOT)
            print("Every external link leads somewhere.")
    except BuildError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


def build(root: Path) -> str:
    """Build the pages of the book in `root`; return a sentence about the result.

    Raises:
        BuildError: if a page has a warning, is missing or is left over, or if a formula
            is wrong.
    """
    html = root / "_build" / "html"
    stamp = stamp_of(html)
    start = time.time()
    # Sphinx warns when it reads a page. A page that a failed build has read would not
    # be read again by the next one.
    written = root / SPHINX / "_build" / "html"
    fresh = not stamp.exists() or bool(built_pages(written) - expected_pages(root))
    if fresh and (root / "_build").exists():
        shutil.rmtree(root / "_build")
    stamp.unlink(missing_ok=True)
    notes = live.place(root)
    # Sphinx rewrites only the pages that changed, so its own output is left as it is.
    run_jupyter_book(root, "html", root / SPHINX)
    compare_pages(built_pages(written), expected_pages(root))
    edition = edition_of(root)
    try:
        finish(written, root / live.STAGE, html, edition)
        live.copy(root, html)
        listed = sbom.site(root, html, edition.version)
        (html / sbom.NAME).write_text(listed, "utf-8", newline="\n")
        notes += offline.write(html, edition)
    except SiteError as error:
        raise BuildError(str(error)) from None
    stamp.touch()
    os.utime(stamp, (start, start))
    size = sum(path.stat().st_size for path in html.rglob("*") if path.is_file())
    said = "".join(f"{note}\n" for note in notes)
    return (
        f"\n{said}Built {len(built_pages(written))} pages, {size / 1e6:.1f} MB, in "
        f"{time.time() - start:.0f} s: {html.relative_to(root).as_posix()}/index.html\n"
        "To read them: make serve, or: python -m http.server "
        "--bind 127.0.0.1 --directory _build/html"
    )


def check_links(root: Path) -> None:
    """Visit every external link of the book in `root`.

    Raises:
        BuildError: if one of them is broken.
    """
    # Jupyter Book would write its report into the folder of the pages.
    run_jupyter_book(root, "linkcheck", root / "_build" / "linkcheck")


def run_jupyter_book(root: Path, builder: str, output: Path) -> None:
    """Run Jupyter Book, with warnings as errors.

    Raises:
        BuildError: if it fails.
    """
    command = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"
    options = ["-W", "--keep-going", "-n", "-q"]
    arguments = ["build", *options, "--builder", builder, "--path-output", str(output)]
    done = subprocess.run(
        [sys.executable, "-c", command, *arguments, str(root)],
        cwd=root,
        env=os.environ | {"PYTHONUTF8": "1"},
        check=False,
    )
    if done.returncode:
        raise BuildError(f"The {builder} build failed; the messages above say why.")


def expected_pages(root: Path) -> set[str]:
    """Return the pages of the table of contents, and those that Sphinx adds."""
    return set(parse_toc_yaml(root / "_toc.yml")) | MADE_BY_SPHINX


def built_pages(html: Path) -> set[str]:
    """Return the pages that Sphinx wrote, by name without suffix."""
    pages = (path.relative_to(html).with_suffix("") for path in html.rglob("*.html"))
    return {page.as_posix() for page in pages if page.parts[0] != "_static"}


def compare_pages(built: set[str], expected: set[str]) -> None:
    """Check that the built pages are the expected ones.

    Raises:
        BuildError: if a page is missing or left over.
    """
    missing, left_over = sorted(expected - built), sorted(built - expected)
    if missing or left_over:
        raise BuildError(
            f"The pages do not match _toc.yml: missing {missing}, left over {left_over}"
        )


if __name__ == "__main__":
    raise SystemExit(main())
