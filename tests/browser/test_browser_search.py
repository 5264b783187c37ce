"""The search finds what people type, the place that answers it among the first."""

from __future__ import annotations

from tests.browser.helpers.browser import Reader
from tests.browser.helpers.browser import reader as reader

FIRST = 3
WANTED = {
    "backpropagation": "chapters/00_start_here",
    "back propagation": "pages/glossary.html#backpropagation",
    "reverse mode": "pages/glossary.html#reverse-mode",
    "tape": "pages/glossary.html#tape",
    "vanishing gradient": "pages/questions.html#nan-and-infinity",
    "grad is None": "pages/questions.html#grad-is-none-or-0",
    ".grad is None": "chapters/16_leaves",
    "memory leak": "pages/questions.html#memory-and-time",
    "vjp": "pages/glossary.html#vector-jacobian-product",
    "detach": "chapters/16_leaves",
    "broadcast": "pages/glossary.html#broadcasting",
    "version counter": "chapters/17_in_place.html#a-counter-in-twenty-lines",
    "why backwards": "chapters/04_value.html#why-backwards",
    "chain rule": "chapters/01_derivatives",
    "zero_grad": "pages/questions.html#the-gradient-is-wrong",
    "closure": "chapters/02_float_var",
    "topological order": "chapters/02_float_var.html#the-latest-first",
    # One letter wrong, other words for it, and messages of PyTorch.
    "gradinet": "chapters/",
    "bigram": "chapters/20_gpt",
    "layernorm": "pages/glossary.html#layer-norm",
    "logsumexp": "chapters/15_edges",
    "double backward": "chapters/21_second_order",
    "leaf tensor": "chapters/16_leaves",
    "numerical gradient": "chapters/01_derivatives",
    "why does loss become nan": "pages/questions.html#nan-and-infinity",
    "RuntimeError: element 0 of tensors does not require grad": "pages/questions.html",
    "modified by an inplace operation": "pages/questions.html",
    "attention": "chapters/20_gpt",
    "numba": "chapters/26_machine_code",
    "data parallel": "chapters/27_many_machines",
    "custom autograd function": "chapters/13_operations",
    "initialization of weights": "chapters/18_modules",
    "size of Jacobian of a layer": "chapters/08_vjp",
    "allreduce": "pages/glossary.html#collective",
    "tensor parallelism": "chapters/27_many_machines.html#a-layer-cut-in-two",
    "why is pytorch faster": "pages/how_fast",
    "how to install": "pages/using.html#four-ways-to-run-it",
    "run without internet": "pages/using.html#keep-the-whole-book-offline",
    # A word that the book does not have hides nothing.
    "digits dataset": "chapters/18_modules",
    "guard recompile": "pages/glossary.html#guard-of-a-program",
}
LINKS = """
[...document.querySelectorAll("#search-results ul.search a")].map(
    link => new URL(link.href).pathname.slice(1) + new URL(link.href).hash)
"""


def test_the_place_that_answers_is_among_the_first(reader: Reader) -> None:
    missed = {}
    with reader.visit("search") as visit:
        for query, wanted in WANTED.items():
            visit.page.locator(".bd-search-container input").fill("")
            visit.page.locator("#search-results li").wait_for(state="detached")
            visit.page.locator(".bd-search-container input").fill(query)
            visit.page.locator("#search-results li").first.wait_for()
            first = visit.run(LINKS)[: 2 * FIRST if "16_" in wanted else FIRST]
            if not any(link.startswith(wanted) for link in first):
                missed[query] = first
        assert visit.problems == []
    assert missed == {}


def test_excerpts_are_prose(reader: Reader) -> None:
    with reader.visit("search") as visit:
        visit.page.locator(".bd-search-container input").fill("chain rule")
        visit.page.locator("#search-results li").first.wait_for()
        text = visit.page.locator("#search-results").inner_text()
        for menu in ("Show the code", "Contents", "import ", "previous"):
            assert menu not in text
        assert visit.page.locator("#search-results mark").count() > 5


def test_the_dialog_answers_as_one_types(reader: Reader) -> None:
    with reader.visit("chapters/05_order") as visit:
        visit.page.keyboard.press("Control+k")
        visit.page.keyboard.type("why backw")
        link = visit.page.locator(".book-found li:first-child a[href*=why-backwards]")
        link.wait_for()
        assert visit.page.locator(".book-found [role=status]").inner_text()
        visit.page.keyboard.press("Tab")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_url("**/chapters/04_value.html#why-backwards")
        assert visit.problems == []


def test_what_is_nowhere_is_said(reader: Reader) -> None:
    with reader.visit("search") as visit:
        visit.page.locator(".bd-search-container input").fill("xylophone")
        status = visit.page.locator("#search-results [role=status]")
        status.wait_for()
        assert "Nothing was found" in status.inner_text()


def test_what_the_book_has_not_is_said(reader: Reader) -> None:
    with reader.visit("search") as visit:
        visit.page.locator(".bd-search-container input").fill("KV cache")
        status = visit.page.locator("#search-results [role=status]")
        status.wait_for()
        assert "nothing on a KV cache" in status.inner_text()
