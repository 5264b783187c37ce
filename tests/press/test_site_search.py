"""What the search looks through is cut from pages place by place."""

from __future__ import annotations

from press.site.search import entries_of, search_data, with_addresses

CHAPTER = """<article><section id="leaves"><h1>4. Leaves<a class="headerlink">#</a></h1>
<p>Who collects?</p>
<div class="cell tag_setup"><div class="cell_input"><pre>find_spec()</pre></div></div>
<section id="hooks"><h2>4.1. Hooks<a class="headerlink" href="#hooks">#</a></h2>
<p>Look at a gradient.</p>
<div class="cell"><div class="cell_input"><pre>w.register_hook(
<span class="c1"># a remark</span> <span class="s2">"spoken"</span>, printed)
w.register_hook(w)</pre></div><div class="cell_output"><pre>12.0</pre></div></div>
</section><section id="exercises"><h2>Exercises</h2><p>Do it.</p>
<details><summary>Solution</summary><p>Secretly.</p><pre>hidden()</pre></details>
</section></section></article>"""
ASKED = """<article><section id="questions"><h1>Questions</h1><p>What people type.</p>
<section id="wrong"><h2>It is wrong</h2>
<p><strong>Why must I call <code>zero_grad</code>?</strong>
Because gradients are added.</p>
</section></section></article>"""


def test_a_section_has_its_own_prose_and_the_names_in_its_code() -> None:
    assert list(entries_of("chapters/04", CHAPTER)) == [
        ["chapters/04.html#leaves", "Leaves", "Leaves", "chapter", "Who collects?", ""],
        [
            *("chapters/04.html#hooks", "Leaves", "Hooks", "chapter"),
            *("Look at a gradient.", "register_hook printed"),
        ],
        ["chapters/04.html#exercises", "Leaves", "Exercises", "end", "Do it.", ""],
    ]


def test_each_question_is_an_entry_with_an_address() -> None:
    page = with_addresses(ASKED)
    assert '<p id="why-must-i-call-zero-grad"><strong>Why must' in page
    assert [entry[:1] + entry[2:] for entry in entries_of("pages/questions", page)] == [
        [
            "pages/questions.html#why-must-i-call-zero-grad",
            *("Why must I call zero_grad?", "question"),
            "Because gradients are added.",
        ],
        [
            *("pages/questions.html#questions", "Questions", "question"),
            *("What people type.", ""),
        ],
    ]


def test_pages_about_the_site_are_left_out() -> None:
    pages = {"chapters/04.html": CHAPTER, "search.html": CHAPTER}
    data = search_data(pages, "// a remark\nvar Stemmer;")
    assert data.count("#hooks") == 1
    assert data.startswith("var Stemmer;")
    assert "Secretly" not in data
    assert "hidden" not in data
