"""`make repository URL=…`: set the repository's address wherever it is used.

The setting is `repository.url` in `_config.yml`. The first cell of each notebook,
`pyproject.toml` and `CITATION.cff` have copies, which a test compares. If no address is
set, buttons that would need one are left out of the book.

The address is set by a command because the book does not know where it will be
published: the workflow that publishes it sets its own repository, and so does a fork.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

from notebooks.notebook import ROOT, notebook_paths, read, tagged, write
from notebooks.repository import setting, site_of
from notebooks.setup_cell import setup_cell

PROJECT_URLS = re.compile(r"(?m)^\[project\.urls\]\n(?:.+\n)*\n?")
CITED = re.compile(r"(?m)^repository-code:.*\n")


def main(arguments: list[str] | None = None) -> int:
    """Set the address given on the command line; an empty one clears it."""
    given = sys.argv[1:] if arguments is None else arguments
    if len(given) != 1:
        print("Say which address: make repository URL=https://…", file=sys.stderr)
        return 2
    try:
        url = normalised(given[0])
        changed = stamp(url)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Repository: {url or 'none'}. Changed: {', '.join(changed) or 'no file'}.")
    return 0


def normalised(url: str) -> str:
    """Return the address without a final slash or `.git`.

    Raises:
        ValueError: if it is not empty and not `https://host/owner/name`.
    """
    url = url.strip().rstrip("/").removesuffix(".git")
    if not url:
        return ""
    parts = urlsplit(url)
    path = re.fullmatch(r"(/[\w.~-]+){2,}", parts.path)
    if parts.scheme != "https" or not re.fullmatch(r"[\w.:-]+", parts.netloc):
        raise ValueError(f"repository: {url!r} must begin with https:// and a host")
    if not path or parts.query or parts.fragment:
        raise ValueError(f"repository: {url!r} must end in /owner/name")
    return url


def stamp(url: str, root: Path = ROOT) -> list[str]:
    """Write the address into all files that use it; return the changed ones."""
    config = root / "_config.yml"
    before = setting(config)
    texts = {config: before.re.sub(rf'\g<1>"{url}"', before.string, count=1)}
    project = root / "pyproject.toml"
    texts[project] = _with_project_url(project.read_text(encoding="utf-8"), url)
    citation = root / "CITATION.cff"
    if citation.is_file():
        texts[citation] = _with_citation(citation.read_text(encoding="utf-8"), url)
    changed = []
    for path, text in texts.items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            changed.append(path.name)
    for path in notebook_paths(root):
        notebook = read(path)
        for cell in tagged(notebook, "setup"):
            cell.source = setup_cell(url)
        if write(notebook, path):
            changed.append(path.name)
    return changed


def _with_project_url(text: str, url: str) -> str:
    text = PROJECT_URLS.sub("", text)
    if not url:
        return text
    section = f'[project.urls]\nRepository = "{url}"\nIssues = "{url}/issues"\n'
    site = site_of(url)
    section += f'Documentation = "{site}"\n\n' if site else "\n"
    head, mark, rest = text.partition("[project.optional-dependencies]")
    return head + section + mark + rest


def _with_citation(text: str, url: str) -> str:
    text = CITED.sub("", text)
    return f'{text.rstrip()}\nrepository-code: "{url}"\n' if url else text


if __name__ == "__main__":
    sys.exit(main())
