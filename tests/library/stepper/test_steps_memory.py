"""What a chain holds, step by step: in the drawing, and in words."""

import re

import pytest

from autograd_lib.stepper.memory import memory_steps
from autograd_lib.stepper.page import side_by_side

DIARY = [
    ("Start", 0, [0]),
    ("Forward", 1, [0, 1]),
    ("Again", 1, [1]),
    ("Backward", 1, []),
]


def test_a_column_has_a_filled_cell_for_each_result_and_their_number_below() -> None:
    columns = memory_steps(DIARY, "alt")._repr_svg_().split('<g class="node ')[1:]
    assert [column.partition('"')[0] for column in columns] == ["n0", "n1", "n2", "n3"]
    assert [column.count("<polygon") for column in columns] == [1, 2, 1, 0]
    numbers = [re.findall(r"<text [^>]*>(\d+)<", column) for column in columns]
    assert numbers == [["1"], ["2"], ["1"], ["0"]]


def test_the_cells_of_a_column_stand_in_the_rows_of_what_is_held() -> None:
    """The input is at the bottom, and the frame is around the layer at work."""
    later = [("Forward", 2, [0, 2])]
    svg = memory_steps(DIARY + later, "alt")._repr_svg_()
    rows = {
        int(row): int(y) for y, row in re.findall(r' y="(\d+)">([012])</t', svg)[:3]
    }
    assert rows[0] > rows[1] > rows[2]
    last = svg.split('<g class="node n4')[1]
    (frame,) = re.findall(r'd="M\d+,(\d+)', last)
    cells = re.findall(r'points="\d+,(\d+)', last)
    assert [rows[row] - int(y) for row, y in zip((0, 2), cells, strict=True)] == [
        10,
        10,
    ]
    assert int(frame) == int(cells[1])


@pytest.mark.parametrize(
    ("step", "words"),
    list(
        enumerate(
            [
                "The chain has its input. 1 result in memory: 0.",
                "Layer 1 runs. 2 results in memory: 0 and 1.",
                "Layer 1 runs again. 1 result in memory: 1.",
                "A gradient goes back through layer 1. 0 results in memory: none.",
            ]
        )
    ),
)
def test_each_step_is_said_in_words(step: int, words: str) -> None:
    stepper = memory_steps(DIARY, "alt")
    assert stepper.trace.steps[step].sentence == words
    html = side_by_side(one=stepper, other=memory_steps(DIARY[:2], "alt"))._repr_html_()
    assert words in html
