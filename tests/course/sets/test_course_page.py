"""What is run of a page for an exercise's sake, and the names that it then finds."""

from __future__ import annotations

from nbformat import v4

from course.sets.page import Step, played, steps


def test_each_exercise_finds_its_names_in_the_page_s_functions_too() -> None:
    page = played(
        [
            Step(0, "unit = 1\ndef one():\n    return unit"),
            Step(1, "", is_exercise=True),
            Step(2, "unit = 2"),
            Step(3, "", is_exercise=True),
        ]
    )
    for position, unit in (1, 1), (3, 2), (1, 1):
        names = page.at(position)
        assert (names["unit"], names["one"]()) == (unit, unit)


def test_no_cell_runs_for_the_sake_of_what_it_imports() -> None:
    sources = (
        "import math\nimport time\n\ntime.sleep(9)",
        "from __future__ import annotations\nimport cmath\nx: y = 1",
        "def f(x):\n    return math.sqrt(cmath.pi)",
        "...",
    )
    page = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    found = steps(page, {3: "f(1)"})
    assert [(s.position, s.source.rstrip()) for s in found] == [
        (0, "import math\nimport time"),
        (1, sources[1]),
        (2, sources[2]),
        (3, "..."),
    ]


def test_what_stands_below_imports_keeps_its_lines() -> None:
    sources = "import math\n\nx = math.pi", "..."
    page = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    first, rest, _ = steps(page, {1: "x"})
    assert (first.source, rest.source.rstrip()) == ("import math\n", "\n\nx = math.pi")
