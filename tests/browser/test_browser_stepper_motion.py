"""What moves in a stepper: numbers on their way back, arrowheads, inputs."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from autograd_lib.scalar.value import Value
from autograd_lib.stepper.page import SideBySide, Stepper, assets, side_by_side, step
from tests.browser.helpers import browser
from tests.browser.helpers.browser import PHONE, Reader
from tests.browser.helpers.page_checks import AXE, CUT_OFF, FINDINGS, assert_none
from tests.browser.helpers.stepper_pages import (
    PAGE,
    field,
    finished,
    nodes_of,
    place,
    press,
    sentence,
    still,
    sum_times_x,
)

Formula = Callable[[Value, Value], Value]

LOG = [("c", "s", 1.0), ("c", "b", 2.0), ("s", "b", 1.0), ("s", "a", 1.0)]
LOG += [("b", "a", 3.0)] * 4
RIDERS = ".stepper-rider"
HEADS = """view => Object.fromEntries(["used", "user"].map(end => [end,
    [...view.querySelectorAll(`[data-end=${end}] polygon`)]
        .map(head => getComputedStyle(head).visibility)]))"""


def fourth_and_third() -> Value:
    a = Value(1.0, "a")
    b = a * a
    s = b + a
    c = s * b
    b.label, s.label, c.label = "b", "s", "c"
    return c


def naive_and_right() -> SideBySide:
    """Return a pass that goes on too early, as chapter 04 logs it, beside the right."""
    naive = step(fourth_and_third(), log=LOG)
    return side_by_side(naive=naive, right=step(fourth_and_third(), code=""))


def every_operation(x: Value, w: Value) -> Value:
    """Return a number in which each operation of Value has a part."""
    parts = [x + w, x - w, x * w, x / w, 2.5 - x, x - 2.5, 1.0 / w, w / 4.0, 3.0 * x]
    parts += [-w, x**3, x**w, 1.5**w, x.relu(), x.exp(), x.log(), x.sqrt(), x.sin()]
    parts += [w.cos(), w.tanh(), w.sigmoid(), abs(w), x + 5.5]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def own_square(x: Value, w: Value) -> Value:
    """Return a product one of whose factors comes from no known operation."""
    square = x * x
    square.data, square._dx = square.data + 1, 7.0
    return square * w


def mistaken_tanh(x: Value, w: Value) -> Value:
    """Return the number that chapter 06 asks about, whose slope is a wrong one."""
    total = x + w
    result = total.tanh()
    result._dx = 1 - total.data**2
    return result


FORMULAS: dict[str, Formula] = {"every": every_operation, "own": own_square}
FORMULAS["mistaken"] = mistaken_tanh


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder: Path = tmp_path_factory.mktemp("pages")
    pages: dict[str, Stepper | SideBySide] = {
        "small": sum_times_x(),
        "pair": naive_and_right(),
    }
    for name, formula in FORMULAS.items():
        root = formula(Value(3.0, "x"), Value(2.0, "w"))
        pages[name] = step(root)
    for name, stepper in pages.items():
        text = PAGE % f"<div>{stepper._repr_html_()}</div>"
        (folder / f"{name}.html").write_text(text, "utf-8")
    with browser.reading(folder) as reader:
        yield reader


@pytest.fixture
def page(reader: Reader, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page that the test names, else `small`, in which things may move."""
    with reader.visit(getattr(request, "param", "small")) as visit:
        yield visit.page
        assert_none(visit.problems)


@pytest.fixture
def stepper(page: Page) -> Locator:
    return page.locator(".autograd-stepper").first


def stop_the_clock(page: Page) -> None:
    """Load the page anew, with a clock that goes on only when it is told to."""
    page.clock.install(time=0)
    page.reload()
    page.clock.pause_at(10_000)


def test_an_amount_travels_back_and_is_added_on_arrival(reader: Reader) -> None:
    with reader.visit("small") as visit:
        page = visit.page
        stop_the_clock(page)
        stepper = page.locator(".autograd-stepper")
        press(stepper, "Next", 4)
        page.clock.run_for(1000)
        assert nodes_of(stepper)["n0"] == ["3", "grad 5 + …"]
        press(stepper, "Next")
        page.clock.run_for(60)
        riders = stepper.locator(RIDERS)
        assert riders.all_text_contents() == ["3", "3"]
        assert nodes_of(stepper)["n0"] == ["3", "grad 5 + …"]
        there = riders.first.get_attribute("transform")
        page.clock.run_for(160)
        assert riders.first.get_attribute("transform") != there
        page.clock.run_for(300)
        assert riders.count() == 0
        assert nodes_of(stepper)["n0"] == ["3", "grad 8"]


def test_a_number_goes_from_the_user_to_the_used(reader: Reader) -> None:
    with reader.visit("small") as visit:
        page = visit.page
        stop_the_clock(page)
        stepper = page.locator(".autograd-stepper")
        press(stepper, "Next", 4)
        for part, moment in (("n3", 0), ("n0", 290)):
            page.clock.run_for(moment)
            distance = stepper.evaluate(
                """(stepper, part) => {
                const middle = e => {
                    const box = e.getBoundingClientRect();
                    return [box.x + box.width / 2, box.y + box.height / 2];
                };
                const [a, b] = [`.stepper-rider:last-of-type`, `[data-part=${part}]`]
                    .map(q => middle(stepper.querySelector(q)));
                return Math.hypot(a[0] - b[0], a[1] - b[1]);
            }""",
                part,
            )
            assert distance < 90, (part, distance)


def test_the_next_step_does_not_wait_for_the_last_one_s_numbers(
    stepper: Locator,
) -> None:
    press(stepper, "Next", 5)
    press(stepper, "Next")
    assert stepper.locator(RIDERS).count() == 0
    assert nodes_of(stepper)["n0"] == ["3", "grad 8"]


def test_nothing_travels_for_readers_who_want_nothing_to_move(
    page: Page, stepper: Locator
) -> None:
    still(page)
    for _ in range(6):
        press(stepper, "Next")
        assert stepper.locator(RIDERS).count() == 0
    assert nodes_of(stepper)["n0"] == ["3", "grad 8"]


def test_arrows_point_where_the_numbers_go(page: Page, stepper: Locator) -> None:
    still(page)
    view = stepper.locator(".stepper-view")
    for title, used, user in [
        ("Start", "hidden", "visible"),
        ("Forward", "hidden", "visible"),
        ("Forward", "hidden", "visible"),
        ("Backward", "visible", "hidden"),
    ]:
        assert view.get_attribute("data-phase") == title
        heads = view.evaluate(HEADS)
        assert heads == {"used": [used] * 4, "user": [user] * 4}
        press(stepper, "Next")


def test_the_line_at_work_is_marked(page: Page, stepper: Locator) -> None:
    still(page)
    marked = stepper.locator(".stepper-code [aria-current]")
    lines = [
        'x, w = Value(3.0, "x"), Value(2.0, "w")',
        "total = x + w",
        "y = total * x",
    ]
    assert stepper.locator(".stepper-code code").all_inner_texts() == lines
    for at in (0, 1, 2, 2, 2, 1):
        assert marked.all_inner_texts() == [lines[at]]
        press(stepper, "Next")
    assert marked.count() == 0


def test_keys_work_on_the_drawing_and_a_click_leads_to_a_node_s_steps(
    page: Page, stepper: Locator
) -> None:
    still(page)
    graph = stepper.locator(".stepper-graph")
    for key, expected in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)]:
        graph.press(key)
        assert place(stepper) == expected
    for node, places in (("n2", [5, 1]), ("n3", [2, 3, 4]), ("n1", [5, 0])):
        for expected in places:
            stepper.locator(f'[data-part="{node}"]').click()
            assert (node, place(stepper)) == (node, expected)


def test_typed_inputs_give_python_s_numbers_everywhere(
    page: Page, stepper: Locator
) -> None:
    still(page)
    field(stepper, "x =").fill("-1.5")
    field(stepper, "w =").fill("1e-3")
    x, w = Value(-1.5, "x"), Value(1e-3, "w")
    model = step((x + w) * x)
    for done in model.trace.steps:
        assert sentence(stepper) == f"{done.title}. {model.trace.text(done.sentence)}"
        press(stepper, "Next")
    assert nodes_of(stepper) == finished((x + w) * x)
    svg = stepper.locator("svg")
    assert str(svg.get_attribute("aria-label")).startswith("With x = -1.5, w = 0.001")
    stepper.get_by_role("button", name="Reset").click()
    assert sentence(stepper).endswith("is 8 for x and 3 for w.")
    assert not str(svg.get_attribute("aria-label")).startswith("With")


@pytest.mark.parametrize("page", ["every"], indirect=True)
def test_every_operation_follows(page: Page, stepper: Locator) -> None:
    still(page)
    stepper.get_by_role("slider").press("End")
    rng = random.Random(0)
    for _ in range(12):
        numbers = [round(rng.uniform(-3, 3), 2) for _ in "xw"]
        for name, number in zip("xw", numbers, strict=True):
            field(stepper, f"{name} =").fill(str(number))
        shown = nodes_of(stepper)
        expected = finished(every_operation(*map(Value, numbers)))
        for name, lines in expected.items():
            if shown[name] != lines:  # the last digit may differ
                for a, b in zip(shown[name], lines, strict=True):
                    a, b = (float(text.removeprefix("grad ")) for text in (a, b))
                    assert a == pytest.approx(b, rel=2e-3, nan_ok=True), (numbers, name)


@pytest.mark.parametrize("page", ["mistaken"], indirect=True)
def test_a_mistaken_tanh_follows_as_it_is_written(page: Page, stepper: Locator) -> None:
    still(page)
    stepper.get_by_role("slider").press("End")
    for numbers in ((0.5, -1.5), (1.0, -1.0)):
        for name, number in zip("xw", numbers, strict=True):
            field(stepper, f"{name} =").fill(str(number))
        assert nodes_of(stepper) == finished(mistaken_tanh(*map(Value, numbers)))


@pytest.mark.parametrize("page", ["own"], indirect=True)
def test_what_follows_from_an_unknown_operation_only_stays(stepper: Locator) -> None:
    fields = stepper.locator(".stepper-inputs input")
    assert fields.count() == 1  # w, and not x
    field(stepper, "w =").fill("5")
    stepper.get_by_role("slider").press("End")
    nodes = nodes_of(stepper)
    assert (nodes["n0"][0], nodes["n3"][0]) == ("3", "50")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type a number."),
        ("abc", "“abc” is not a number."),
        ("1e999", "“1e999” is larger than any float."),
    ],
)
def test_a_field_says_what_it_needs_and_what_stays(
    page: Page, stepper: Locator, typed: str, sentence: str
) -> None:
    still(page)
    one = field(stepper, "x =")
    one.fill(typed)
    said = stepper.locator(".stepper-inputs [role=status]")
    assert said.inner_text() == f"{sentence} x stays 3."
    assert one.get_attribute("aria-invalid") == "true"
    assert nodes_of(stepper)["n0"] == ["3", ""]
    one.blur()
    assert one.input_value() == "3"
    one.fill("4")
    assert said.inner_text() == ""
    assert nodes_of(stepper)["n0"] == ["4", ""]
    one.fill("2,5")
    assert said.inner_text() == "“2,5” is read as 2.5."
    assert nodes_of(stepper)["n0"] == ["2.5", ""]


def test_an_input_can_be_dragged(page: Page, stepper: Locator) -> None:
    still(page)
    box = stepper.locator('[data-part="n0"]').bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=5)
    page.mouse.up()
    assert field(stepper, "x =").input_value() == "3.5"
    assert nodes_of(stepper)["n0"] == ["3.5", ""]
    assert place(stepper) == 0


@pytest.mark.parametrize("page", ["pair"], indirect=True)
def test_two_passes_are_stepped_by_one_control(page: Page, stepper: Locator) -> None:
    still(page)
    assert stepper.get_by_role("slider").count() == 1
    views = stepper.locator(".stepper-view")
    leaf = '[data-part="n0"] text:last-of-type'
    seen = []
    for _ in range(10):
        seen.append([views.nth(i).locator(leaf).text_content() for i in (0, 1)])
        press(stepper, "Next")
    assert seen[6:] == [
        ["grad 1 + …", "grad 1 + …"],
        ["grad 7", "grad 7"],
        ["grad 13", "grad 7"],
        ["grad 13", "grad 7"],
    ]
    said = sentence(stepper)
    assert (
        "In the end a has 13, and the derivative of c with respect to it is 7" in said
    )
    assert "The gradient of c is 7 for a." in said
    field(stepper, "a =").fill("2")
    assert [views.nth(i).locator(leaf).text_content() for i in (0, 1)] == [
        "grad 84",
        "grad 44",
    ]


@pytest.mark.parametrize("page", ["pair"], indirect=True)
def test_on_a_phone_two_passes_stand_side_by_side_and_scroll(
    page: Page, stepper: Locator
) -> None:
    page.set_viewport_size(PHONE)
    boxes = [view.bounding_box() for view in stepper.locator(".stepper-view").all()]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    views = stepper.locator(".stepper-views")
    views.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("e => e.scrollLeft > 0", arg=views.element_handle())
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.evaluate(AXE)
    for check in (CUT_OFF, FINDINGS):
        assert_none(page.evaluate(check))


def test_numbers_are_written_as_python_writes_them(page: Page) -> None:
    rng = random.Random(1)
    numbers = [0.0, -0.0, 1.0625, 1.0635, -2.5005, 99995.0, 0.00012345, 1e22, 5e-324]
    numbers += [rng.uniform(-1, 1) * 10.0 ** rng.randint(-9, 9) for _ in range(300)]
    numbers += [rng.randint(-80000, 80000) / 16 for _ in range(300)]
    code = assets()[1].partition("<script>")[2].removesuffix("</script>")
    inside = code.partition("{")[2].rpartition("startAll(")[0]
    script = f"numbers => {{ {inside}; return numbers.map(short); }}"
    assert page.evaluate(script, numbers) == [f"{n:.4g}" for n in numbers]
    assert json.loads(json.dumps(numbers)) == numbers
