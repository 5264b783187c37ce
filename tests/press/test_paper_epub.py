"""The EPUB: what e-readers ask of such a file, and that the book is in it."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import urlsplit
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
import yaml

from notebooks.notebook import ROOT, exercise_paths
from press.edition import edition_of
from press.paper import epub as command
from press.paper.container import KINDS, Book, package, zipped
from press.paper.drawings import taken_out
from press.paper.listings import with_listings
from press.paper.reflow import mathml, reflowed
from tests.book.helpers.built_book import built_book

XHTML = "{http://www.w3.org/1999/xhtml}"
MATH = "{http://www.w3.org/1998/Math/MathML}math"
SVG = "{http://www.w3.org/2000/svg}"
OPF = "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"
EPUB = "{http://www.idpf.org/2007/ops}"
XLINK = "{http://www.w3.org/1999/xlink}"
LIVE = ("script", "style", "button", "form", "input", "details", "iframe", "noscript")
OF_A_MACHINE = re.compile(
    r"(?<![\w/.])/(?:home|root|Users|tmp|private)/\w+|[A-Z]:\\Users|127\.0\.0\.1|file://"
)
COLOUR = re.compile(r"(?<!-)color: #(\w{2})(\w{2})(\w{2});")

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def html() -> Path:
    return built_book()


@pytest.fixture(scope="module")
def made(html: Path) -> bytes:
    return command.epub()


@pytest.fixture(scope="module")
def files(made: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def pages(files: Files) -> dict[str, Element]:
    return {
        name.removeprefix("EPUB/").removesuffix(".xhtml"): ElementTree.fromstring(text)
        for name, text in files.items()
        if name.endswith(".xhtml")
    }


@pytest.fixture(scope="module")
def opf(files: Files) -> Element:
    return ElementTree.fromstring(files["EPUB/package.opf"])


def addresses() -> list[str]:
    """Return the pages of the table of contents, but the one that is all scripts."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = [page["file"] for part in toc["parts"] for page in part["chapters"]]
    return [name for name in [toc["root"], *listed] if name != "pages/progress"]


def in_order() -> list[str]:
    return [Path(address).name for address in addresses()]


def chapters() -> list[str]:
    return [name for name in in_order() if re.match(r"\d\d_", name)]


def further() -> list[str]:
    """Return the pages of further exercises, of which there is one for each part."""
    return [path.stem for path in exercise_paths()]


def with_exercises() -> list[str]:
    """Return the chapters but the last, which looks back and has no exercises."""
    return chapters()[:-1]


def text_of(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def section(page: Element, anchor: str) -> Element | None:
    return page.find(f".//{XHTML}section[@id='{anchor}']")


def test_it_is_known_by_its_first_file(made: bytes, files: Files) -> None:
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        first = archive.infolist()[0]
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert files["mimetype"] == b"application/epub+zip"
    assert b'full-path="EPUB/package.opf"' in files["META-INF/container.xml"]
    assert len(made) < 15e6


def test_the_manifest_lists_each_file_once(files: Files, opf: Element) -> None:
    items = opf.findall(f"{OPF}manifest/{OPF}item")
    inside = {name for name in files if name.startswith("EPUB/")}
    listed = [f"EPUB/{item.get('href')}" for item in items]
    assert sorted(listed) == sorted(inside - {"EPUB/package.opf"})
    assert len({item.get("id") for item in items}) == len(items)
    for item in items:
        text = files[f"EPUB/{item.get('href')}"]
        has = (item.get("properties") or "").split()
        assert item.get("media-type") in KINDS.values()
        assert ("mathml" in has) == (b"<math" in text)
        assert ("svg" in has) == (b"<svg" in text and b"<html" in text)


def test_it_says_what_it_is(opf: Element) -> None:
    said = opf.find(f"{OPF}metadata")
    assert said is not None
    assert said.findtext(f"{DC}title") == "Autograd, Bottom Up"
    assert said.findtext(f"{DC}creator") == "The authors of Autograd, Bottom Up"
    assert said.findtext(f"{DC}language") == "en"
    assert "CC BY 4.0" in (said.findtext(f"{DC}rights") or "")
    meta: dict[str, list[str]] = {}
    for one in said.findall(f"{OPF}meta"):
        meta.setdefault(one.get("property", ""), []).append(one.text or "")
    day = edition_of(ROOT).day
    if day:  # where git is
        assert meta["dcterms:modified"] == [f"{day}T00:00:00Z"]
    assert meta["schema:accessMode"] == ["textual", "visual"]
    assert {"MathML", "alternativeText"} <= set(meta["schema:accessibilityFeature"])
    assert meta["schema:accessibilityHazard"] == ["none"]
    cover = opf.find(f".//{OPF}item[@properties='cover-image']")
    assert cover is not None and cover.get("href") == "cover.png"


def test_pages_come_in_the_order_of_the_table_of_contents(opf: Element) -> None:
    href = {item.get("id"): item.get("href") for item in opf.iter(f"{OPF}item")}
    spine = [href[one.get("idref")] for one in opf.iter(f"{OPF}itemref")]
    names = ["cover", "title", "nav", *in_order()]
    assert spine == [f"{name}.xhtml" for name in names]
    assert len(names) > len(chapters()) > 20


def test_the_contents_have_parts_chapters_and_sections(
    pages: dict[str, Element],
) -> None:
    nav = pages["nav"].find(f".//{XHTML}nav[@{EPUB}type='toc']")
    assert nav is not None
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    captions = [part["caption"] for part in toc["parts"] if "caption" in part]
    assert [span.text for span in nav.iter(f"{XHTML}span")] == captions
    leads = [a.get("href", "") for a in nav.iter(f"{XHTML}a")]
    assert [one for one in leads if "#" not in one] == [
        f"{name}.xhtml" for name in in_order()
    ]
    for name in with_exercises():
        assert f"{name}.xhtml#summary" in leads
        assert f"{name}.xhtml#solutions" in leads


def test_every_link_and_image_is_there(files: Files, pages: dict[str, Element]) -> None:
    ids = {}
    for name, page in pages.items():
        given = [one for tag in page.iter() if (one := tag.get("id"))]
        assert len(given) == len(set(given)), name
        ids[f"EPUB/{name}.xhtml"] = set(given)
    broken = []
    for name, page in pages.items():
        here = f"EPUB/{name}.xhtml"
        for tag in page.iter():
            for key in ("href", "src", f"{XLINK}href"):
                parts = urlsplit(tag.get(key, ""))
                if parts.scheme in ("http", "https") and tag.tag == f"{XHTML}a":
                    continue
                target = normpath(join(dirname(here), parts.path))
                target = target if parts.path else here
                found = target in files and not parts.scheme
                if not found or parts.fragment not in {"", *ids.get(target, ())}:
                    broken.append(f"{name}: {tag.get(key)}")
    assert not broken


def test_nothing_in_it_is_live_or_of_this_machine(
    files: Files, pages: dict[str, Element]
) -> None:
    for name, page in pages.items():
        tags = {str(tag.tag).removeprefix(XHTML) for tag in page.iter()}
        assert not tags & set(LIVE), name
        attributes = {key for tag in page.iter() for key in tag.attrib}
        assert not [key for key in attributes if key.startswith(("on", "data-"))]
    for name, content in files.items():
        if not name.endswith(".png"):
            assert not OF_A_MACHINE.search(content.decode()), name


def test_formulas_are_all_there_and_need_no_script(
    html: Path, pages: dict[str, Element]
) -> None:
    for name in chapters():
        text = (html / "chapters" / f"{name}.html").read_text("utf-8")
        formulas = list(pages[name].iter(MATH))
        assert len(formulas) == text.count("<mjx-assistive-mml")
        assert all(text_of(math) for math in formulas)
        assert "\\(" not in text_of(pages[name])
    found = {text_of(math) for math in pages["04_order"].iter(MATH)}
    assert {"c=a4+a3", "b=a⋅a,s=b+a,c=s⋅b."} <= found
    bold = pages["06_vjp"].findall(".//*[@mathvariant='bold']")
    assert {one.text for one in bold} >= {"X", "Y", "W"}


def test_figures_are_all_there_and_described(
    html: Path, files: Files, pages: dict[str, Element]
) -> None:
    for address in addresses():
        name = Path(address).name
        text = (html / f"{address}.html").read_text("utf-8")
        article = text[text.index("<article") : text.rindex("</article>")]
        drawn = article.count('class="book-svg"')
        drawn += article.count('class="stepper-graph"')
        images = [*pages[name].iter(f"{XHTML}img"), *pages[name].iter(f"{SVG}svg")]
        assert len(images) == drawn, name
        for image in pages[name].iter(f"{XHTML}img"):
            assert len(image.get("alt", "")) > 20, name


def test_drawings_need_no_page(files: Files) -> None:
    drawings = [name for name in files if name.endswith(".svg")]
    assert len(drawings) > 50
    for name in drawings:
        text = files[name].decode()
        svg = ElementTree.fromstring(text)
        ids = {tag.get("id") for tag in svg.iter()}
        used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)
        assert {a or b for a, b in used} <= ids, name
        assert svg[0].get("fill") == "#fff", name


def test_steppers_are_finished_with_their_words(
    files: Files, pages: dict[str, Element]
) -> None:
    said = text_of(pages["02_float_var"])
    assert "the derivative of z: + with respect to it is 12." in said
    steps = [
        p for p in pages["02_float_var"].iter(f"{XHTML}p") if p.get("class") == "steps"
    ]
    assert steps
    graphs = [
        files[f"EPUB/{image.get('src')}"].decode()
        for image in pages["02_float_var"].iter(f"{XHTML}img")
        if image.get("alt", "").startswith("A graph of 3 nodes: y: square 9 from x 3")
    ]
    assert ">grad 18</text>" in graphs[0]  # where y passes on its first 1 twice
    assert ">grad 12</text>" in graphs[1]
    assert not any("?</text>" in graph for graph in graphs)


def test_answers_stand_at_the_end(html: Path, pages: dict[str, Element]) -> None:
    for name in with_exercises():
        page = pages[name]
        order = [tag.get("id") for tag in page.iter(f"{XHTML}section")]
        assert order.index("exercises") < order.index("solutions")
        links = {a.get("href"): a for a in page.iter(f"{XHTML}a")}
        solutions = section(page, "solutions")
        assert solutions is not None
        for solution in solutions.findall(f"{XHTML}section"):
            anchor = solution.get("id")
            assert links[f"#{anchor}"].get("id") == f"from-{anchor}"
            assert f"#from-{anchor}" in links
        exercises = section(page, "exercises")
        assert exercises is not None
        numbers = re.findall(r"Exercise (\d+\.\d+)\.", text_of(exercises))
        assert numbers, name
        for number in numbers:
            assert f"Exercise {number}: " in text_of(solutions), name
        source = (html / "chapters" / f"{name}.html").read_text("utf-8")
        asked = len(re.findall(r'class="answer"|class="[^"]*tag_predicted', source))
        answers = section(page, "answers")
        assert asked == (len(list(answers)) - 1 if answers is not None else 0), name
    for name in further():
        said = text_of(pages[name])
        asked = re.findall(r"Exercise (\d+\.\d+)\.", said)
        assert asked
        end = said.index("Solutions")
        for number in asked:
            assert said.index(f"Exercise {number}: ") > end, (name, number)
    spoiled = text_of(pages["04_order"])
    assert spoiled.index("Follow it with a pencil") < spoiled.index("naive says 8")
    assert spoiled.index("Further reading") < spoiled.index("naive says 8")


def test_the_same_book_has_the_same_bytes(html: Path) -> None:
    some = ["chapters/02_float_var", "chapters/04_order"]
    assert command.epub(some) == command.epub(some)


def test_every_colour_is_legible_on_white_and_on_black() -> None:
    colours = COLOUR.findall(command.SHEET.read_text("utf-8"))
    assert len(colours) >= 5
    for colour in colours:
        shares = [int(one, 16) / 255 for one in colour]
        linear = [
            x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares
        ]
        light = sum(
            a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
        )
        assert min(1.05 / (light + 0.05), (light + 0.05) / 0.05) >= 4.5, colour


def test_long_lines_go_on_set_in_and_keep_their_marks() -> None:
    code = (
        '<pre><span></span><span class="k">if</span> <span class="n">x</span>:\n'
        '        <span class="s2">"a &lt;\nb"</span>\n\n</pre>'
    )
    assert with_listings(code, {"k", "s2"}) == (
        '<pre><span class="line"><span class="k">if</span> x:\n</span>'
        '<span class="line i2">        <span class="s2">"a &lt;\n</span></span>'
        '<span class="line"><span class="s2">b"</span>\n</span></pre>'
    )


def test_names_of_functions_stand_apart() -> None:
    name = '<mi>ln</mi><mo data-mjx-texclass="NONE">\u2061</mo>'
    spaced = mathml(f"<math><mi>y</mi>{name}<mi>x</mi></math>")
    assert '<mi>y</mi><mspace width="0.167em"></mspace><mi>ln</mi>' in spaced
    assert 'rspace="0.167em"' in spaced
    assert "data-" not in spaced
    in_brackets = mathml(f'<math>{name}<mo stretchy="false">(</mo></math>')
    assert "rspace" not in in_brackets and "mspace" not in in_brackets


def test_a_drawing_without_a_description_is_left_out() -> None:
    page, found = taken_out('<p><svg><path d="M0 0L1 1" /></svg></p>', "x")
    assert (page, found) == ("<p></p>", {})


def test_a_link_that_leads_nowhere_is_an_error() -> None:
    page = reflowed(
        "a", '<article><section><h1>A</h1><p id="b"></p></section></article>', ""
    )
    ids = {"a": page.ids}
    assert command.new_address(page, "#b", ids) == "#b"
    assert command.new_address(page, "a.html#b", ids) == "a.xhtml#b"
    assert command.new_address(page, "pages/progress.html", ids) is None
    with pytest.raises(command.EpubError, match="#c leads nowhere"):
        command.new_address(page, "#c", ids)


def test_what_is_no_xml_is_an_error() -> None:
    with pytest.raises(command.EpubError, match=r"a\.svg: mismatched tag"):
        command.require_xml("a.svg", b"<svg><g></svg>")


def test_a_new_edition_keeps_the_name_of_the_book() -> None:
    day = edition_of(ROOT).day or command.date.today()
    one, other = (
        package(Book("T", "A", "R", version, day), {"nav.xhtml": b""}, ["nav.xhtml"])
        for version in ("1", "2")
    )
    assert one == other
    assert zipped({"nav.xhtml": b""}, one) == zipped({"nav.xhtml": b""}, other)


def test_without_a_book_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "HTML", tmp_path)
    assert command.main([]) == 1
    assert "make book" in capsys.readouterr().err
