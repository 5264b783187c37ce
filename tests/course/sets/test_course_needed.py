"""Which cells make what a piece of code names."""

from __future__ import annotations

from course.sets.needed import changed, needed, wanted
from notebooks.notebook import bound

CELLS = [
    "import numpy as np\nfrom x import slow",  # 0
    "def f(x):\n    return np.sin(x) + shift",  # 1
    "shift = 1",  # 2
    "model = slow()",  # 3
    "plot(model, f)",  # 4
    "shift = 2",  # 5
    "table = {}",  # 6
    "table['a'] = shift",  # 7
    "def g(): ...\n\ncheck(g, h)",  # 8
]


def test_the_last_cell_that_binds_a_name_and_what_it_needs() -> None:
    assert needed(CELLS, {8: "def g(): return f(1)"}) == [0, 1, 5, 8]
    assert needed(CELLS, {8: "def g(): return table['a']"}) == [5, 6, 7, 8]
    assert needed(CELLS, {8: "model"}) == [0, 3, 8]


def test_what_a_source_takes_from_before_it() -> None:
    assert wanted("x = x + y\nz = x") == {"x", "y"}
    assert wanted("x = 1\nprint(x)") == set()
    assert wanted("def f(a, b=c):\n    d = a\n    return [e for e in d] + g") == {
        "c",
        "g",
    }
    assert wanted("def f():\n    return late\nlate = 1") == set()
    assert wanted("class A(B):\n    def m(self):\n        return C") == {"B", "C"}


def test_what_a_source_makes() -> None:
    assert bound(
        "import a.b\nfrom c import d as e\ndef f(): g = 1\nfor h in i: pass"
    ) == {
        "a",
        "e",
        "f",
        "h",
    }
    assert changed("a.b.c = 1\nd[0].e += 1\nf = g.h") == {"a", "d"}
