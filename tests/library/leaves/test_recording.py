"""Whether calculations are recorded: no_grad and enable_grad, in every position."""

from threading import Thread

import pytest

from autograd_lib.engine.leaves.grad_mode import enable_grad, is_grad_enabled, no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor


@pytest.fixture(autouse=True)
def on_before_and_after():
    assert is_grad_enabled()
    yield
    assert is_grad_enabled()


def leaf(data=3.0):
    return Tensor(data, requires_grad=True)


def test_results_under_no_grad_are_constants():
    x = leaf()
    with no_grad():
        y = x * x
        z = y.sum() + x.reshape(1)[0]
    for t in (y, z):
        assert (t.requires_grad, t.is_leaf, t.node, t.grad) == (False, True, None, None)
    assert y.item() == 9.0
    assert x.requires_grad


def test_what_is_made_from_a_constant_afterwards_has_no_way_to_the_leaf():
    x, w = leaf(), leaf(2.0)
    with no_grad():
        y = x * x
    (y * w).backward()
    assert x.grad is None
    assert w.grad.item() == 9.0


def test_a_leaf_made_under_no_grad_is_a_leaf():
    with no_grad():
        x = leaf()
        c = Tensor(2.0).requires_grad_()
        assert not (x * c).requires_grad
    (x * c).backward()
    assert (x.grad.item(), c.grad.item()) == (2.0, 3.0)


def test_blocks_nest_and_each_gives_back_what_it_found():
    x, seen = leaf(), []

    def look():
        seen.append((is_grad_enabled(), (x * 1.0).requires_grad))

    with no_grad():
        look()
        with enable_grad():
            look()
            with no_grad():
                look()
            look()
            with enable_grad():
                look()
            look()
        look()
    look()
    expected = [False, True, False, True, True, True, False, True]
    assert seen == [(on, on) for on in expected]


@pytest.mark.parametrize("kind", [no_grad, enable_grad])
def test_one_block_can_be_entered_inside_itself_and_again(kind):
    block = kind()
    for _ in range(2):
        with block:
            with block:
                assert is_grad_enabled() is kind.to
            assert is_grad_enabled() is kind.to
        assert is_grad_enabled()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, GeneratorExit])
def test_an_exception_leaves_the_switch_as_it_was(error):
    with no_grad():
        with pytest.raises(error), enable_grad(), no_grad():
            raise error
        assert not is_grad_enabled()


def test_return_and_break_leave_the_switch_as_it_was():
    def leaves_early():
        with no_grad():
            return is_grad_enabled()

    assert leaves_early() is False
    for _ in range(1):
        with no_grad():
            break
    assert is_grad_enabled()


@pytest.mark.parametrize("decorator", [no_grad(), no_grad], ids=["called", "plain"])
def test_a_decorated_function_records_nothing(decorator):
    @decorator
    def twice(x, *, times=2.0):
        """Say it twice."""
        return x * times

    x = leaf()
    assert twice.__name__ == "twice"
    assert twice.__doc__ == "Say it twice."
    for _ in range(2):
        y = twice(x, times=5.0)
        assert (y.item(), y.requires_grad) == (15.0, False)
        assert is_grad_enabled()
    with no_grad():
        assert enable_grad()(lambda: x * 2.0)().requires_grad


def test_a_decorated_function_may_call_itself_and_fail():
    @no_grad()
    def down(n):
        assert not is_grad_enabled()
        if n == 0:
            raise ValueError("planned")
        if n % 2:
            down(n - 1)
        else:
            with enable_grad():
                down(n - 1)
        raise AssertionError  # down(0) always raises

    with pytest.raises(ValueError, match="planned"):
        down(5)


def test_what_runs_after_the_call_is_refused():
    def generator():
        yield is_grad_enabled()

    async def coroutine():
        return is_grad_enabled()

    for function in (generator, coroutine):
        for decorator in (no_grad, no_grad(), enable_grad):
            with pytest.raises(TypeError, match=r"runs after the call.*with \w+_grad"):
                decorator(function)


@pytest.mark.parametrize("thing", [1, Tensor(1.0), "f"])
def test_only_functions_are_decorated(thing):
    with pytest.raises(TypeError, match="no_grad: stands above a function, got"):
        no_grad(thing)


def test_a_pass_needs_no_recording_and_leaves_the_switch_alone():
    x = leaf()
    y = x * x
    with no_grad():
        y.backward(retain_graph=True)
        (slope,) = grad(y, x)
        assert not is_grad_enabled()
    assert (x.grad.item(), slope.item()) == (6.0, 6.0)
    assert not slope.requires_grad


def test_create_graph_records_inside_no_grad():
    x = leaf()
    y = x * x * x
    with no_grad():
        (slope,) = grad(y, x, create_graph=True)
        assert not is_grad_enabled()
        assert not (x * x).requires_grad
    assert grad(slope, x, retain_graph=True)[0].item() == 18.0
    with no_grad():
        y.backward(create_graph=True)
        y.backward(create_graph=True)
    assert x.grad.item() == 54.0
    assert grad(x.grad, x)[0].item() == 36.0


def test_a_pass_that_is_not_recorded_records_nothing_inside_enable_grad():
    x = leaf()
    y, seen = x * x, []
    y.register_hook(lambda g: seen.append((is_grad_enabled(), (x * g).requires_grad)))
    with enable_grad():
        y.backward()
    assert seen == [(False, False)]
    assert not x.grad.requires_grad


def test_a_pass_that_fails_leaves_the_switch_as_it_was():
    x = leaf()

    def fails(gradient):
        raise ValueError("planned")

    for create_graph in (False, True):
        y = x * x
        y.register_hook(fails)
        with no_grad():
            with pytest.raises(ValueError, match="planned"):
                y.backward(create_graph=create_graph)
            assert not is_grad_enabled()


def test_writes_into_leaves_are_for_no_grad():
    x = leaf([1.0, 2.0])
    with pytest.raises(RuntimeError, match="leaf that requires a gradient; update it"):
        x += 1.0
    with no_grad():
        x += 1.0
        x[0] = 9.0
    assert x.tolist() == [9.0, 3.0]
    assert x.is_leaf
    assert x.requires_grad
    (x * x).sum().backward()
    assert x.grad.tolist() == [18.0, 6.0]


def without_recording(n):
    with no_grad():
        yield from range(n)


@pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 2), (2, 2)])
def test_generators_that_end_in_the_order_of_their_beginning(m, n):
    for _ in zip(without_recording(m), without_recording(n), strict=False):
        assert not is_grad_enabled()
    assert is_grad_enabled()


def test_a_block_that_ends_before_another_leaves_the_switch_to_that_one():
    first, second = no_grad(), enable_grad()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert is_grad_enabled()
    second.__exit__(None, None, None)
    assert is_grad_enabled()


def test_a_block_that_was_begun_elsewhere_or_nowhere_ends_without_effect():
    no_grad().__exit__(None, None, None)
    begun = without_recording(2)
    thread = Thread(target=lambda: next(begun))
    thread.start()
    thread.join()
    begun.close()
    with no_grad():
        enable_grad().__exit__(None, None, None)
        assert not is_grad_enabled()


def test_backward_warns_that_a_recorded_gradient_leads_back_to_its_leaf():
    x = Tensor(3.0, requires_grad=True)
    with pytest.warns(UserWarning, match=r"a leaf's .grad leads back to the leaf"):
        (x * x).backward(create_graph=True)
    (slope,) = grad(x * x, x, create_graph=True)  # the way that it names, without one
    assert slope.requires_grad
