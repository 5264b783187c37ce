"""Which line of the reader's code a stepper marks for each node."""

import linecache
import textwrap
from types import SimpleNamespace

import pytest

from autograd_lib.scalar.value import Value
from autograd_lib.stepper import step


def neuron(x, w):
    product = w * x
    out = (product + 1.0).tanh()
    product.label, out.label = "product", "out"
    return out


def run(cell, **names):
    """Run a cell as notebooks do, and return what its last line gives."""
    linecache.cache["<cell>"] = (len(cell), None, cell.splitlines(True), "<cell>")
    *body, last = cell.splitlines(True)
    names |= {"Value": Value, "step": step, "neuron": neuron}
    exec(compile("".join(body), "<cell>", "exec"), names)
    padded = "\n" * len(body) + last
    return eval(compile(padded.rstrip(), "<cell>", "eval"), names)


def test_a_name_leads_to_the_line_that_gave_it():
    stepper = run(
        'x, w = Value(3.0, "x"), Value(2.0, "w")\n'
        "print_nothing = None\n"
        "total = x + w\n"
        "y = total * x\n"
        'y.label = "another name"\n'
        "step(y)\n"
    )
    text, made = stepper.code
    assert text == [
        'x, w = Value(3.0, "x"), Value(2.0, "w")',
        "total = x + w",
        "y = total * x",
    ]
    assert made == [[0], [0], [1], [2]]


def test_a_nameless_number_was_made_where_it_is_used():
    stepper = run('x = Value(3.0, "x")\ny = (x * x + 1.0).tanh()\nstep(y * x)\n')
    text, made = stepper.code
    assert text == ['x = Value(3.0, "x")', "y = (x * x + 1.0).tanh()", "step(y * x)"]
    assert made == [[0], [1], [1], [1], [2]]


def test_the_last_assignment_before_the_call_counts():
    stepper = run(
        'x = Value(3.0, "x")\ny = x * x\ny = y + x\nstep(y)\n',
    )
    text, made = stepper.code
    assert text == ['x = Value(3.0, "x")', "y = y + x"]
    assert made == [[0], [1], [1]]


def test_a_function_can_be_given():
    x, w = Value(3.0, "x"), Value(2.0, "w")
    text, made = step(neuron(x, w), code=neuron).code
    assert text == ["product = w * x", "out = (product + 1.0).tanh()"]
    assert made == [[], [], [0], [1], [1]]


def test_text_can_be_given_and_none():
    x, w = Value(3.0, "x"), Value(2.0, "w")
    code = "product = w * x\nout = (product + 1.0).tanh()"
    assert step(neuron(x, w), code=code).code.text == code.splitlines()
    assert step(neuron(x, w), code="").code is None


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("product = w * x\nout = (", "step: code cannot be read as Python: .*line 2"),
        ("%time product", "step: code cannot be read as Python"),
        ("out = w * x", "step: fewer than two lines of code made a node"),
    ],
)
def test_code_that_is_given_and_of_no_use_is_an_error(code, sentence):
    with pytest.raises(ValueError, match=sentence):
        step(neuron(Value(3.0, "x"), Value(2.0, "w")), code=code)


def test_a_slice_of_a_function_may_be_indented():
    code = "    product = w * x\n    out = (product + 1.0).tanh()"
    stepper = step(neuron(Value(3.0, "x"), Value(2.0, "w")), code=code)
    assert stepper.code.text == textwrap.dedent(code).splitlines()


def test_lines_that_cannot_be_told_apart_are_not_shown():
    assert run('x = Value(3.0, "x")\ny = x\nstep(neuron(x, x))\n').code.text == [
        'x = Value(3.0, "x")',
        "step(neuron(x, x))",
    ]  # y is another name for what was made before
    assert run('step(neuron(Value(1.0, "x"), Value(2.0, "w")))\n').code is None


def test_code_that_is_not_at_hand_is_no_error():
    names = {"step": step, "x": SimpleNamespace(label="x", parents=(), data=1.0)}
    assert eval("step(x)", names).code is None


def test_inside_a_function_its_own_lines_count():
    def of_a_function():
        x = Value(2.0, "x")
        square = x * x
        return step(square + x)

    text, made = of_a_function().code
    assert text == ['x = Value(2.0, "x")', "square = x * x", "return step(square + x)"]
    assert made == [[0], [1], [2]]
