"""The built site: its pages, its links, and that it needs nobody else's server."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml

import autograd_lib
from notebooks.order import chapters
from press.site.publishing import MOVED
from tests.book.helpers.built_book import built_book
from tests.book.helpers.html_pages import HtmlPage, read_page
from tools.build import ROOT, built_pages, expected_pages

ELSEWHERE = re.compile(r"^(https?:)?//")
LOADED_BY_CSS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
MACHINE_PATH = re.compile(
    r"(?<![\w/.])/(?:home|root|Users|tmp|private)/\w+|[A-Z]:\\Users"
)


@pytest.fixture(scope="module")
def html() -> Path:
    return built_book()


@cache
def page(path: Path) -> HtmlPage:
    return read_page(path)


def pages(html: Path) -> list[HtmlPage]:
    return [page(html / f"{name}.html") for name in sorted(expected_pages(ROOT))]


def test_the_pages_are_those_of_the_table_of_contents(html: Path) -> None:
    assert built_pages(html) == expected_pages(ROOT) | MOVED.keys() | {"404"}


def test_chapter_01_has_the_number_1(html: Path) -> None:
    for number, name in enumerate(chapters(ROOT)[:4]):
        title = rf'<h1><span class="section-number">{number}\.\s'
        text = (html / "chapters" / f"{name}.html").read_text("utf-8")
        assert bool(re.search(title, text)) == (number > 0), name


def test_links_within_the_book_lead_somewhere(html: Path) -> None:
    broken = []
    for here in pages(html):
        for address in here.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or address == "#":
                continue
            path = unquote(parts.path)
            target = (here.path.parent / path).resolve() if path else here.path
            if target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment)
            if not target.is_file() or (
                anchor
                and target.suffix == ".html"
                and anchor not in page(target).anchors
            ):
                broken.append(f"{here.path.name}: {address}")
    assert not broken, broken


def test_nothing_is_loaded_from_another_host(html: Path) -> None:
    loads = [
        f"{here.path.name}: {load}"
        for here in pages(html)
        for load in here.loads
        if ELSEWHERE.match(load)
    ]
    for path in html.rglob("*.css"):
        for match in LOADED_BY_CSS.finditer(path.read_text("utf-8")):
            if ELSEWHERE.match(match[1] or match[2]):
                loads.append(f"{path.name}: {match[0]}")
    assert not loads, loads


def test_no_page_tells_where_it_was_built(html: Path) -> None:
    for here in pages(html):
        text = here.path.read_text("utf-8")
        assert str(ROOT) not in text
        assert not MACHINE_PATH.findall(text), here.path.name


def test_every_source_in_the_bibliography_is_cited(html: Path) -> None:
    entries = re.findall(
        r"^@\w+\{([^,\s]+)", (ROOT / "chapters/references.bib").read_text("utf-8"), re.M
    )
    cited = {
        urlsplit(link).fragment
        for here in pages(html)
        for link in here.links
        if "bibliography.html#" in link
    }
    assert entries
    assert set(entries) <= cited, sorted(set(entries) - cited)


def test_buttons_lead_to_the_address_that_is_set_or_are_not_there(html: Path) -> None:
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    url = config["repository"]["url"]
    for here in pages(html):
        outward = [
            link
            for link in here.links
            if "colab.research" in link or "/issues/" in link
        ]
        if url:
            owner_and_name = "/".join(url.split("/")[-2:])
            assert all(owner_and_name in link for link in outward), outward
        else:
            assert not outward, outward


INSIDE = {  # of these a user calls nothing; pages show some, and modules their map
    "book.arrays_drawn",
    "book.boxes",
    "book.boxes_drawn",
    "book.brackets_drawn",
    "book.digits_drawn",
    "book.faults_drawn",
    "book.fizzbuzz",
    "book.heads",
    "book.loops",
    "book.moons_by_arrays",
    "book.formulas",
    "book.forward_drawn",
    "book.pixels",
    "book.plain_code",
    "book.stacks",
    "book.suspect",
    "book.timed",
    "check.agreement",
    "check.comparison",
    "check.inputs",
    "check.invariance",
    "check.mutate",
    "check.pullback",
    "check.reference",
    "check.transposed",
    "check.yours",
    "checkpointing.samples",
    "designs.dependency_arrays",
    "designs.tracing_refusals",
    "engine.arrays",
    "engine.joint",
    "engine.leaves.copying",
    "engine.leaves.leaf",
    "engine.methods",
    "engine.numpy.callers",
    "engine.numpy.conversion",
    "engine.numpy.missing",
    "engine.numpy.mistakes",
    "engine.numpy.operands",
    "engine.surface",
    "engine.writes.in_place",
    "engine.writes.scattered",
    "functional.run",
    "functional.scope",
    "nn.arguments",
    "nn.bilinear",
    "nn.mistakes",
    "nn.sliding",
    "optim.parameters",
    "program.calls.unseen",
    "program.calls.constant_or_input",
    "checkpointing.code_names",
    "checkpointing.generators",
    "program.calls.floor",
    "program.calls.argument_content",
    "program.calls.draws",
    "program.calls.restoring",
    "program.calls.traced_number",
    "program.calls.found_place",
    "program.calls.strict_tracer",
    "program.calls.recorded_run",
    "program.calls.results",
    "program.calls.net",
    "program.calls.side_effects",
    "program.core.array",
    "program.core.interpreter",
    "program.machine.build",
    "program.machine.groups",
    "program.machine.nest",
    "program.machine.round_loops",
    "program.machine.scalars",
    "program.rewrites.blocks",
    "program.rewrites.numbers",
    "program.rewrites.helpers",
    "program.words.naming",
    "program.words.origins",
    "scalar.calls",
    "scalar.functions",
    "scalar.real",
    "spelling",
    "small.accidents.arrays",
    "small.accidents.asked",
    "small.accidents.choices",
    "small.accidents.models",
    "small.accidents.names",
    "small.accidents.scalars",
    "small.accidents.training",
    "small.choices",
    "small.copies",
    "small.cut",
    "small.graph",
    "small.layer",
    "small.leaves",
    "small.number",
    "small.numpy",
    "small.order",
    "small.parts",
    "small.steps",
    "small.tensor",
    "small.whole",
    "stepper.code",
    "stepper.drawing",
    "stepper.engine",
    "stepper.handed",
    "stepper.memory",
    "stepper.nodes",
    "stepper.numbers",
    "stepper.scene",
    "stepper.steps",
}


API = ("api", "api_beyond", "api_pages")


def api(page: str = "api") -> str:
    """Return the text of a page of the API reference."""
    return (ROOT / "pages" / f"{page}.md").read_text("utf-8")


def test_the_api_page_has_every_module_that_users_call() -> None:
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "autograd_lib").rglob("*.py")
        if not path.name.startswith("_")
        and "ops" not in path.parts  # they are on a page of their own
    }
    text = "".join(map(api, API))
    listed = set(re.findall(r"automodule:: (\S+)", text))
    public = modules - {f"autograd_lib.{name}" for name in INSIDE}
    assert len(modules) == len(public) + len(INSIDE)
    assert {m for m in listed if not m.startswith("autograd_lib.engine.ops.")} == public


def test_the_api_page_says_what_to_import() -> None:
    opening, *sections = re.split(r"(?m)^## ", api())
    assert set(re.findall(r"`ag\.(\w+)`", opening)) == set(autograd_lib.__all__)
    for page in API[1:]:
        sections += re.split(r"(?m)^## ", api(page))
    for section in sections:
        modules = re.findall(r"automodule:: (\S+)", section)
        assert [m for m in modules if f"`{m}`" not in section] == []


def test_the_index_has_the_terms_of_the_glossary(html: Path) -> None:
    terms = re.findall(
        r"^## (.+)$", (ROOT / "pages" / "glossary.md").read_text("utf-8"), re.M
    )
    links = page(html / "genindex.html").links
    indexed = {
        urlsplit(x).fragment for x in links if x.startswith("pages/glossary.html#")
    }
    assert len(terms) > 5
    assert {re.sub(r"\W+|_", "-", term.lower()).strip("-") for term in terms} <= indexed
