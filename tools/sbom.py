"""The components of what is published, as a CycloneDX 1.6 list in JSON.

    python -m tools.sbom dist/*.whl     the list of the package, for a release

`tools.build` writes the list of the site into it, as `sbom.cdx.json`. Versions are read
from where they are pinned, or from the files themselves.
"""

from __future__ import annotations

import email
import hashlib
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Sequence
from email.message import Message
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from live.tools.assets import LOCK, File, load
from press.site import mathjax
from press.site.licences import THEME

NAME = "sbom.cdx.json"
MIT = "Permission is hereby granted, free of charge"
NPM = {"pyodide": "MPL-2.0", "@viz-js/viz": "MIT"}
"""Licences of packages that do not contain the text of their licence."""
IN_VIZ = {"graphviz": "EPL-2.0", "expat": "MIT"}
IN_THEME = {"bootstrap": "bootstrap.js.LICENSE.txt", "clipboard": "clipboard.min.js"}
"""Components inside the theme's distributions, with the file that has the version."""

Component = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the list of a wheel."""
    names = sys.argv[1:] if arguments is None else list(arguments)
    if len(names) != 1:
        print("Say of which: python -m tools.sbom dist/….whl", file=sys.stderr)
        return 2
    print(package(Path(names[0])), end="")
    return 0


def package(wheel: Path) -> str:
    """Return the list of the book's wheel: the package, its data, its dependencies."""
    own, found = of_wheel(wheel), metadata(wheel)
    data = component("handwritten-digits", "", "CC-BY-4.0", kind="data")
    required = [
        component(name, "", "", f"pkg:pypi/{name}") | {"description": line}
        for line in found.get_all("Requires-Dist", [])
        if "extra ==" not in line
        for name in re.findall(r"^[\w.-]+", line)
    ]
    return as_json(own, [data, *required])


def site(root: Path, html: Path, version: str) -> str:
    """Return the list of third-party components that a built site serves.

    Args:
        root: the book.
        html: the site. Components of live pages are listed only if it has live pages.
        version: the version of the book.
    """
    own = component("autograd-bottom-up-site", version, "CC-BY-4.0 AND MIT")
    own["type"] = "application"
    parts = [
        of_text_face(),
        of_mathjax(),
        *map(of_distribution, THEME),
        *carried_by_the_theme(),
    ]
    if (html / "live").is_dir():
        parts += [*of_live_pages(root, html / "live"), of_distribution("ipython")]
        parts += [of_wheel(path) for path in sorted((html / "live").rglob("*.whl"))]
    return as_json(own, parts)


def of_live_pages(root: Path, live: Path) -> Iterable[Component]:
    """Yield Pyodide, its Python, and the packages from npm."""
    assets = load(root / "live" / "assets.toml")
    packages: dict[str, list[File]] = {}
    for file in (*assets.core, *assets.modules):
        packages.setdefault(file.package, []).append(file)
    for one, files in packages.items():
        name, _, version = one.rpartition("@")
        texts = [live / f.target for f in files if f.target.startswith("licences/")]
        is_mit = any(MIT in path.read_text("utf-8") for path in texts)
        made = component(
            name,
            version,
            "MIT" if is_mit else NPM[name],
            f"pkg:npm/{name.replace('@', '%40')}@{version}",
        )
        made["components"] = [
            component(file.path, "", "", f"{made['bom-ref']}#{file.path}", "file")
            | hashed(next(iter(file.sha256)))
            for file in files
        ]
        yield made
    for name, licence in IN_VIZ.items():
        yield component(name, "", licence, f"pkg:generic/{name}")
    (lock,) = live.glob(f"code-*/{LOCK}")
    python = json.loads(lock.read_text("utf-8"))["info"]["python"]
    yield component("python", python, "PSF-2.0", f"pkg:generic/python@{python}")


def of_text_face() -> Component:
    """Return the face that the book's own was made from."""
    name, version = "source-serif-4", "5.3.1"
    purl = f"pkg:npm/%40fontsource-variable/{name}@{version}"
    return component(name, version, "OFL-1.1", purl, kind="data")


def of_mathjax() -> Component:
    """Return MathJax, with the hash that it is checked against."""
    version = mathjax.VERSION
    made = component("mathjax", version, "Apache-2.0", f"pkg:npm/mathjax@{version}")
    return made | hashed(mathjax.SHA256)


def of_distribution(name: str) -> Component:
    """Return an installed distribution of which the site has a part."""
    found = distribution(name)
    purl = f"pkg:pypi/{name}@{found.version}"
    about = email.message_from_string(found.read_text("METADATA") or "")
    return component(name, found.version, licence_in(about), purl)


def carried_by_the_theme() -> Iterable[Component]:
    """Yield third-party scripts that come with the theme."""
    for name, told in IN_THEME.items():
        for file in (f for one in THEME for f in distribution(one).files or []):
            if file.name == told:
                text = Path(str(file.locate())).read_text("utf-8")
                version = re.findall(r" v(\d+\.\d+\.\d+)", text)[0]
                yield component(name, version, "MIT", f"pkg:npm/{name}@{version}")
                break


def of_wheel(path: Path) -> Component:
    """Return the package in a wheel."""
    found = metadata(path)
    name = re.sub(r"[-_.]+", "-", found["Name"]).lower()
    purl = f"pkg:pypi/{name}@{found['Version']}"
    made = component(name, found["Version"], licence_in(found), purl)
    return made | hashed(hashlib.sha256(path.read_bytes()).hexdigest())


def metadata(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as opened:
        name = next(
            n
            for n in opened.namelist()
            if re.fullmatch(r"[^/]+\.dist-info/METADATA", n)
        )
        return email.message_from_bytes(opened.read(name))


def licence_in(about: Message) -> str:
    """Return the licence of a package: an SPDX expression, or a name."""
    named = [c.split(" :: ")[-1] for c in about.get_all("Classifier", [])
             if c.startswith("License :: OSI Approved :: ")]  # fmt: skip
    lines = (about["License"] or "").strip().splitlines()
    return about["License-Expression"] or next(iter([*named, *lines[:1]]), "")


def component(
    name: str, version: str, licence: str, purl: str = "", kind: str = "library"
) -> Component:
    """Return a component without the fields that are unknown."""
    made: Component = {"type": kind, "bom-ref": purl or name, "name": name}
    if version:
        made["version"] = version
    if re.fullmatch(r"[\w.+-]+( (AND|OR|WITH) [\w.+-]+)*", licence):
        made["licenses"] = [{"expression": licence}]
    elif licence:
        made["licenses"] = [{"license": {"name": licence}}]
    if purl and kind != "file":
        made["purl"] = purl
    return made


def hashed(sha256: str) -> Component:
    """Return the field for a hash."""
    return {"hashes": [{"alg": "SHA-256", "content": sha256}]}


def as_json(own: Component, parts: Iterable[Component]) -> str:
    """Return the list as text; the same components give the same text."""
    listed = sorted(parts, key=lambda one: str(one["bom-ref"]))
    needed = [one["bom-ref"] for one in listed]
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": listed,
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": needed}],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
