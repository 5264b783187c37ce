"""Collect the files of live pages, and put them into the site.

live/button.js          the one script that every page with cells loads
live/progress.js        the script of the page "Your progress"
live/keeper.js          the script of the control that keeps the whole book
live/current.json       the folders of the rest, read when a reader asks for it
live/pyodide-<version>/ Python and the compiled packages
live/code-<hash>/       everything else; the hash tells one build from another
live/licences/          the licences of all that
service-worker.js       keeps what was used, for the next time without network,
                        and serves the book to those who keep it whole
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from live.tools.assets import CODE, LOCK, Assets, load
from live.tools.fetch import Fetcher, FetchError, fetcher
from live.tools.packages import Entry, compiled, entry, imported, key_of, pure
from live.tools.weights import PAGES, Weights
from live.tools.wheel import library_wheel
from notebooks.imports import PACKAGE

Tree = dict[str, bytes]

IN_BROWSER = "live/page"
STAGE = "_build/live"
SPECIFIER = re.compile(r"""(\bfrom\s*|\bimport\s*)(['"])(@?[a-z][\w./-]*)\2""")


def place(root: Path, fetch: Fetcher | None = None) -> list[str]:
    """Collect the files of live pages in `_build/live`; return notes for the build.

    There are no live pages if Pyodide, or a module of the page, cannot be fetched.
    """
    stage = root / STAGE
    shutil.rmtree(stage, ignore_errors=True)
    if not (root / "live").is_dir():
        return []
    assets = load(root / "live" / "assets.toml")
    fetch = fetch or fetcher(assets)
    try:
        tree, notes = gathered(root, assets, fetch)
    except FetchError as error:
        return [f"Without live pages: {error}."]
    code = f"code-{digest(tree)}"
    tree = {re.sub(f"^{CODE}/", f"{code}/", name): c for name, c in tree.items()}
    names = {"code": f"{code}/", "pyodide": f"{assets.pyodide}/"}
    tree["current.json"] = json.dumps(names).encode()
    for script in ("button.js", "progress.js", "keeper.js"):
        tree[script] = (root / IN_BROWSER / script).read_bytes()
    for name, content in tree.items():
        path = stage / "live" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    shutil.copyfile(
        root / IN_BROWSER / "service-worker.js", stage / "service-worker.js"
    )
    size = sum(map(len, tree.values()))
    return [f"Live pages: {len(tree)} files, {size / 1e6:.1f} MB.", *notes]


def copy(root: Path, html: Path) -> None:
    """Bring the site's files of live pages in step with `_build/live`.

    Sphinx copies files only when a page has changed.
    """
    shutil.rmtree(html / "live", ignore_errors=True)
    (html / "service-worker.js").unlink(missing_ok=True)
    if (root / STAGE).is_dir():
        shutil.copytree(root / STAGE, html, dirs_exist_ok=True)


def gathered(root: Path, assets: Assets, fetch: Fetcher) -> tuple[Tree, list[str]]:
    """Return all files by name, and a note for each package that is left out.

    Raises:
        FetchError: if a file is missing that live pages cannot do without.
    """
    tree: Tree = {}
    for file in assets.core:
        tree[file.target] = fetch.get(file)
    lock = json.loads(tree.pop(f"{assets.pyodide}/{LOCK}"))
    for file in assets.modules:
        tree[file.target] = fetch.get(file)
    link(tree)
    packages, notes = gathered_packages(root, assets, lock, fetch, tree)
    lock["packages"] = packages
    tree[f"{CODE}/{LOCK}"] = json.dumps(lock, sort_keys=True).encode()
    weights = Weights(assets, packages, tree)
    tree[f"{CODE}/sizes.json"] = json.dumps(weights.sizes()).encode()
    for path in sorted((root / IN_BROWSER).glob("*.mjs")):
        tree[f"{CODE}/{path.name}"] = path.read_bytes()
    tree[f"{CODE}/live.css"] = (root / IN_BROWSER / "live.css").read_bytes()
    tree[f"{CODE}/python.zip"] = python_files(root / "live" / "python")
    for path in sorted((root / "live/licences").iterdir()):
        tree[f"licences/{path.name}"] = path.read_bytes()
    (root / PAGES).parent.mkdir(exist_ok=True)
    (root / PAGES).write_text(json.dumps(weights.pages(root)), "utf-8")
    return tree, notes


def gathered_packages(
    root: Path, assets: Assets, lock: Entry, fetch: Fetcher, tree: Tree
) -> tuple[dict[str, Entry], list[str]]:
    """Add the packages to `tree`; return the entries of the lock, and notes."""
    names = imported(root)
    found: dict[str, Entry] = {}
    notes = []
    wanted = compiled(names, lock)
    for key, one in wanted.items():
        file = assets.wheel(one)
        try:
            tree[file.target] = fetch.get(file)
        except FetchError as error:
            notes.append(f"Live pages lack {key}: {error}.")
            continue
        found[key] = one | {"file_name": f"../{file.target}"}
    requirements = (root / "requirements.lock").read_text("utf-8")
    for name in sorted(names - {x for e in wanted.values() for x in e["imports"]}):
        try:
            version, file = pure(name, requirements)
            tree[file.target] = fetch.get(file)
        except (FetchError, LookupError) as error:
            notes.append(f"Live pages lack {name}: {error}.")
            continue
        wheel = Path(file.target).name
        found[key_of(name)] = entry(name, version, wheel, tree[file.target])
    wheel, content = library_wheel(root)
    tree[f"{CODE}/{wheel}"] = content
    version = wheel.split("-")[1]
    found[key_of(PACKAGE)] = entry(PACKAGE, version, wheel, content)
    return found, notes


def link(tree: Tree) -> None:
    """Rewrite imports of packages as imports of files, which a browser can resolve.

    >>> tree = {"lib/a-b.mjs": b"import {c} from '@a/b'", "lib/d.mjs": b"from 'e'"}
    >>> link(tree)
    >>> tree["lib/a-b.mjs"], tree["lib/d.mjs"]
    (b"import {c} from './a-b.mjs'", b"from 'e'")
    """
    files = {Path(name).name for name in tree if name.endswith(".mjs")}

    def local_file(match: re.Match[str]) -> str:
        before, quote, package = match.groups()
        file = f"{package.lstrip('@').replace('/', '-')}.mjs"
        return f"{before}{quote}./{file}{quote}" if file in files else match[0]

    for name in tree:
        if name.endswith(".mjs"):
            tree[name] = SPECIFIER.sub(local_file, tree[name].decode()).encode()


def python_files(folder: Path) -> bytes:
    """Return a zip of the Python side, the same bytes from the same files.

    It includes IPython's printer, which made the committed outputs.
    """
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*.py"))
    }
    ipython = distribution("ipython")
    for file in ipython.files or []:
        if file.as_posix() == "IPython/lib/pretty.py":
            files["IPython/lib/pretty.py"] = Path(str(file.locate())).read_bytes()
        elif file.as_posix().endswith("licenses/LICENSE"):
            files["IPython/LICENSE"] = Path(str(file.locate())).read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def digest(tree: Tree) -> str:
    """Return a hash of the files that belong to this book."""
    whole = hashlib.sha256()
    for name in sorted(tree):
        if name.startswith(f"{CODE}/"):
            whole.update(name.encode() + b"\0" + tree[name] + b"\0")
    return whole.hexdigest()[:12]
