"""What is published is listed, with versions, hashes and licences from its sources."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from notebooks.notebook import ROOT
from press.site import licences, mathjax
from tools import sbom

METADATA = "Metadata-Version: 2.4\nName: A.Package\nVersion: 1.2\n{}\n"


def wheel(folder: Path, *lines: str) -> Path:
    """Write a wheel that says these lines of itself."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "a_package-1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as opened:
        text = METADATA.format("\n".join(lines))
        opened.writestr("a_package-1.2.dist-info/METADATA", text)
        opened.writestr("a/_vendor/b-1.dist-info/METADATA", "Name: b\nVersion: 1\n")
    return path


@pytest.fixture
def html(tmp_path: Path) -> Path:
    """Write the files of live pages that say something of themselves."""
    code = tmp_path / "live" / "code-0a"
    wheel(code, "License-Expression: BSD-3-Clause")
    lock = {"info": {"python": "3.14.0"}, "packages": {}}
    (code / sbom.LOCK).write_text(json.dumps(lock), encoding="utf-8")
    for file in sbom.load(ROOT / "live" / "assets.toml").modules:
        if file.target.startswith("licences/"):
            path = tmp_path / "live" / file.target
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"MIT\n\n{sbom.MIT}\n", encoding="utf-8")
    return tmp_path


def components(text: str) -> dict[str, dict[str, Any]]:
    """Return the components of a list by their names, which differ."""
    listed = json.loads(text)["components"]
    named = {one["name"]: one for one in listed}
    assert len(named) == len(listed)
    return named


def test_all_that_live_pages_fetch_is_listed(html: Path) -> None:
    found = components(sbom.site(ROOT, html, "1.2.3"))
    assets = tomllib.loads((ROOT / "live/assets.toml").read_text("utf-8"))
    assert len(assets["npm"]) > 10
    for one in (assets["pyodide"], *assets["npm"]):
        listed = found[one["package"]]
        assert listed["version"] == one["version"]
        hashes = {c["name"]: c["hashes"][0]["content"] for c in listed["components"]}
        assert hashes == {
            name: file if isinstance(file, str) else file["sha256"]
            for name, file in one["files"].items()
        }
    assert found["pyodide"]["licenses"] == [{"expression": "MPL-2.0"}]
    assert found["python"]["version"] == "3.14.0"


def test_a_wheel_says_its_own_name_version_and_licence(html: Path) -> None:
    found = components(sbom.site(ROOT, html, "1.2.3"))["a-package"]
    (path,) = html.rglob("*.whl")
    assert found["purl"] == "pkg:pypi/a-package@1.2"
    assert found["licenses"] == [{"expression": "BSD-3-Clause"}]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert found["hashes"] == [{"alg": "SHA-256", "content": digest}]


def test_what_pages_are_made_with_is_listed_without_live_pages(tmp_path: Path) -> None:
    found = components(sbom.site(ROOT, tmp_path, "1.2.3"))
    others = {"source-serif-4", "mathjax", "bootstrap", "clipboard"}
    assert {*licences.THEME} | others == {*found}
    assert found["mathjax"]["hashes"][0]["content"] == mathjax.SHA256
    assert all(one["version"] and one["licenses"] for one in found.values())


def test_the_package_lists_what_it_requires_and_its_data(tmp_path: Path) -> None:
    made = wheel(
        tmp_path,
        "License-Expression: MIT AND CC-BY-4.0",
        "Requires-Dist: numpy>=1.2",
        'Requires-Dist: matplotlib>=3; extra == "figures"',
    )
    found = components(sbom.package(made))
    assert found.keys() == {"handwritten-digits", "numpy"}
    assert found["numpy"]["description"] == "numpy>=1.2"


@pytest.mark.parametrize(
    ("line", "licence"),
    [
        ("License-Expression: MIT OR Apache-2.0", {"expression": "MIT OR Apache-2.0"}),
        (
            "Classifier: License :: OSI Approved :: BSD License",
            {"license": {"name": "BSD License"}},
        ),
        (
            "License: BSD 3-Clause License",
            {"license": {"name": "BSD 3-Clause License"}},
        ),
        ("Summary: nothing", None),
    ],
)
def test_a_licence_is_an_expression_or_what_it_is_called(
    tmp_path: Path, line: str, licence: dict[str, Any] | None
) -> None:
    found = sbom.of_wheel(wheel(tmp_path, line))
    assert found.get("licenses") == ([licence] if licence else None)


def test_the_same_parts_give_the_same_list_and_each_is_referred_to(html: Path) -> None:
    text = sbom.site(ROOT, html, "1.2.3")
    assert text == sbom.site(ROOT, html, "1.2.3")
    whole = json.loads(text)
    assert (whole["bomFormat"], whole["specVersion"]) == ("CycloneDX", "1.6")
    assert whole["metadata"]["component"]["type"] == "application"
    refs = [one["bom-ref"] for one in whole["components"]]
    assert whole["dependencies"][0]["dependsOn"] == refs
    assert len({*refs}) == len(refs)


def test_a_release_makes_it_with_python_alone(tmp_path: Path) -> None:
    """The workflow calls it before anything is installed."""
    made = wheel(tmp_path, "Requires-Dist: numpy>=1.2")
    command = [sys.executable, "-S", "-m", "tools.sbom", str(made)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == sbom.package(made), done.stderr


def test_licences_lie_beside_what_they_are_for(tmp_path: Path) -> None:
    licences.place(tmp_path)
    for folder in ("mathjax", "fonts"):
        text = (tmp_path / folder / "LICENSE").read_text("utf-8")
        assert text.split()[:4] == ["Apache", "License", "Version", "2.0,"]
        assert "END OF TERMS AND CONDITIONS" in text
    about = (tmp_path / "licences" / "README.txt").read_text("utf-8")
    for name in (*licences.THEME, "MathJax"):
        text = (tmp_path / "licences" / f"{name}.txt").read_text("utf-8")
        assert "opyright" in text, name
    assert "Bootstrap" in about and "clipboard.js" in about
