"""Leaves, recording and hooks as PyTorch has them, and where ours differ, and why."""

import warnings
from types import SimpleNamespace

import pytest

import tests.library.helpers.hook_programs
import tests.library.helpers.leaf_failures  # noqa: F401 - adds its programs
from autograd_lib.engine.leaves import grad_mode as recording
from autograd_lib.engine.tape import backward
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.leaf_programs import FAILURES, PROGRAMS

RAISES = "raises"
OURS = SimpleNamespace(
    leaf=lambda data, dtype="float64": Tensor(data, requires_grad=True, dtype=dtype),
    constant=Tensor,
    grad=backward.grad,
    no_grad=recording.no_grad,
    enable_grad=recording.enable_grad,
    one=lambda g: g,
    given=lambda g: g,
)

# What ours gives, and what PyTorch 2.13 gives.
DIFFERENCES = {
    # PyTorch adds a second gradient into the array of the first.
    "an_older_gradient_after_another_pass": ((6.0, 12.0), (12.0, 12.0)),
    # So it keeps the graph of a first one that was recorded.
    "a_recorded_gradient_and_a_plain_pass": ((False, 54.0), (True, 54.0)),
    # Here grad() touches no .grad whatever.
    "retained_in_grad": (None, 1.0),
    # PyTorch frees what was saved, so it can go again where nothing was; we do not
    # let that depend on which operations were used.
    "a_second_pass_where_nothing_was_saved": (RAISES, [2.0]),
    # There is no place for a gradient in what collects none.
    "a_gradient_assigned_to_a_constant": (RAISES, 1.0),
    # PyTorch notices when it calls the hook.
    "a_hook_that_is_no_function": (RAISES, None),
    # Here a pass that fails changes no .grad.
    "a_hook_raises_an_exception": ((None, None), (None, 3.0)),
    # PyTorch asks not to do it, and one sees why: the other leaf's gradient changed.
    "a_hook_writes_into_its_argument": (RAISES, ([10.0], [10.0])),
    # PyTorch turns recording off for each step of the generator.
    "no_grad_over_a_generator": (RAISES, False),
    # Our nodes have no place for inputs that need no gradient.
    "a_node_of_a_product_with_a_constant": ([[2.0]], [[None, 2.0]]),
}


@pytest.fixture(scope="module")
def theirs():
    torch = pytest.importorskip(
        "torch",
        reason="PyTorch is not installed, so leaves are not compared with it here; "
        "pip install torch==2.13.0",
    )

    def leaf(data, dtype="float64"):
        return torch.tensor(data, dtype=getattr(torch, dtype), requires_grad=True)

    def constant(data):
        whole = isinstance(data, list) and isinstance(data[0], int)
        return torch.tensor(data, dtype=torch.int64 if whole else torch.float64)

    return SimpleNamespace(
        leaf=leaf,
        constant=constant,
        grad=torch.autograd.grad,
        no_grad=torch.no_grad,
        enable_grad=torch.enable_grad,
        one=lambda gradients: gradients[0],
        given=lambda gradient: (gradient,),
    )


def outcome(name, library):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's about reading grad of a result
        try:
            return PROGRAMS[name](library)
        except (RuntimeError, TypeError, ValueError):
            return RAISES


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_what_it_does_in_pytorch(theirs, name):
    ours = outcome(name, OURS)
    expected = outcome(name, theirs)
    if name in DIFFERENCES:
        assert (ours, expected) == DIFFERENCES[name]
    elif name == "float32_over_passes":
        # One rounding of each sum, in float32.
        assert ours[0] == expected[0]
        assert ours[1] == pytest.approx(expected[1], rel=2e-7)
    else:
        assert ours == expected


@pytest.mark.parametrize("name", FAILURES)
def test_what_is_wrong_raises_an_error_or_is_a_listed_difference(name):
    ours, _ = DIFFERENCES.get(name, (RAISES, None))
    assert outcome(name, OURS) == ours


def test_the_list_of_differences_names_programs():
    assert set(DIFFERENCES) <= set(PROGRAMS)
