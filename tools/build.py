"""Build the book: `python -m tools.build` writes it to _build/html.

Any warning fails the build, a broken link between pages included. So do pages that do
not match the table of contents: a Jupyter Book of another major version exits in
peace and writes nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from sphinx_external_toc.parsing import parse_toc_yaml

from live.tools import site as live

ROOT = Path(__file__).resolve().parents[1]
MATHJAX_SHA256 = "91b005503c5d1f0958bf4d73ada1a3be33596b2c4ab5da22277f1b0d3149b5a4"
MADE_BY_SPHINX = {"genindex", "search"}


class BuildError(Exception):
    """The book could not be built, for the reason given."""


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
    """Build the pages of the book in `root`; return what was made and how to see it.

    Raises:
        BuildError: if a page has a warning, is missing or is left over.
    """
    html = root / "_build" / "html"
    stamp = stamp_of(html)
    start = time.time()
    # A warning is given when a page is read; a page that was read by a failed build
    # would pass unread in the next one.
    fresh = not stamp.exists() or bool(built_pages(html) - expected_pages(root))
    if fresh and (root / "_build").exists():
        shutil.rmtree(root / "_build")
    stamp.unlink(missing_ok=True)
    place_mathjax(root / "_extra" / "_static" / "mathjax")
    notes = live.place(root)
    run_jupyter_book(root, "html", root)
    live.copy(root, html)
    compare_pages(built_pages(html), expected_pages(root))
    stamp.touch()
    os.utime(stamp, (start, start))
    size = sum(path.stat().st_size for path in html.rglob("*") if path.is_file())
    said = "".join(f"{note}\n" for note in notes)
    return (
        f"\n{said}Built {len(built_pages(html))} pages, {size / 1e6:.1f} MB, in "
        f"{time.time() - start:.0f} s: {html.relative_to(root).as_posix()}/index.html\n"
        "To read them: make serve, or: python -m http.server "
        "--bind 127.0.0.1 --directory _build/html"
    )


def stamp_of(html: Path) -> Path:
    """Return the file whose time tells when the last complete build began.

    It has a second use: GitHub Pages leaves out directories such as _static without it.
    """
    return html / ".nojekyll"


def check_links(root: Path) -> None:
    """Visit every external link of the book in `root`.

    Raises:
        BuildError: if one of them is broken.
    """
    place_mathjax(root / "_extra" / "_static" / "mathjax")
    # Jupyter Book would write its report among the pages.
    run_jupyter_book(root, "linkcheck", root / "_build" / "linkcheck")


def place_mathjax(target: Path) -> None:
    """Copy MathJax with all its extensions, and its fonts, to `target`.

    Raises:
        BuildError: if the distribution that carries it is missing or is another one.
    """
    try:
        carrier = distribution("sphinx-mathjax-offline")
    except PackageNotFoundError:
        raise BuildError(
            "MathJax is missing: install what requirements.lock lists"
        ) from None
    script = "tex-chtml-full.js"
    fonts = "output/chtml/fonts/woff-v2"
    for file in carrier.files or []:
        name = file.as_posix().partition("static/mathjax/")[2]
        if name != script and not name.startswith(fonts):
            continue
        content = Path(str(file.locate())).read_bytes()
        if name == script and hashlib.sha256(content).hexdigest() != MATHJAX_SHA256:
            raise BuildError(f"{script} is not the one of MathJax 3.2.2")
        copy = target / name
        if not copy.exists() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
    if not (target / script).exists():
        raise BuildError(f"sphinx-mathjax-offline holds no {script}")


def run_jupyter_book(root: Path, builder: str, output: Path) -> None:
    """Run Jupyter Book with every warning an error.

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
    """Return the pages that the table of contents names, and those Sphinx adds."""
    return set(parse_toc_yaml(root / "_toc.yml")) | MADE_BY_SPHINX


def built_pages(html: Path) -> set[str]:
    """Return the pages that are in the output, by name without suffix."""
    pages = (path.relative_to(html).with_suffix("") for path in html.rglob("*.html"))
    return {page.as_posix() for page in pages if page.parts[0] != "_static"}


def compare_pages(built: set[str], expected: set[str]) -> None:
    """Check that the pages built are the pages wanted.

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
