"""More small programs, in which something is wrong (see `leaf_programs`)."""

from tests.library.helpers.leaf_programs import failure, program, v


@program
def retained_in_grad(L):
    x = L.leaf(3.0)
    y = x * 2.0
    y.retain_grad()
    L.grad(y, x)
    return v(y.grad)


@failure
def a_constant_walks_back(L):
    L.constant(3.0).backward()


@failure
def a_result_under_no_grad_walks_back(L):
    x = L.leaf(3.0)
    with L.no_grad():
        y = x * x
    y.backward()


def updated(L, recorded, in_place):
    w = L.leaf(2.0)
    (w * w).backward()
    step = 0.1 * w.grad
    with L.enable_grad() if recorded else L.no_grad():
        if in_place:
            w -= step
        else:
            w = w - step
    (w * w).backward()
    return v(w.grad)


@failure
def an_update_that_is_recorded_in_place(L):
    updated(L, True, True)


@failure
def an_update_to_a_constant(L):
    updated(L, False, False)


@failure
def a_second_pass(L):
    x = L.leaf(2.0)
    y = x * x
    y.backward()
    y.backward()


@failure
def two_passes_share_a_part(L):
    x = L.leaf(2.0)
    h = x * x
    (h * 2.0).backward()
    (h * 3.0).backward()


@failure
def a_second_pass_where_nothing_was_saved(L):
    x = L.leaf([2.0])
    y = x.sum()
    y.backward()
    y.backward()
    return v(x.grad)


@failure
def several_elements_walk_back(L):
    (L.leaf([2.0, 1.0]) * 2.0).backward()


@failure
def a_gradient_of_another_shape(L):
    (L.leaf([2.0, 1.0]) * 2.0).backward(L.constant([1.0]))


@failure
def a_write_into_a_leaf(L):
    x = L.leaf(2.0)
    x += 1.0


@failure
def a_write_into_what_was_saved(L):
    x = L.leaf(3.0)
    y = x * x
    with L.no_grad():
        x += 2.0
    y.backward()


@failure
def a_write_through_detach(L):
    x = L.leaf(3.0)
    y = x * x
    d = x.detach()
    d += 2.0
    y.backward()


@failure
def toward_a_constant(L):
    L.grad(L.leaf(3.0) * 2.0, L.constant(3.0))


@failure
def toward_what_was_not_used(L):
    L.grad(L.leaf(3.0) * 2.0, L.leaf(3.0))


@failure
def a_result_made_constant(L):
    (L.leaf(2.0) * 2.0).requires_grad_(False)


@failure
def integers(L):
    L.constant([1, 2]).requires_grad_()


@failure
def a_gradient_assigned_of_another_shape(L):
    L.leaf([3.0]).grad = L.constant([1.0, 2.0])


@failure
def a_gradient_assigned_of_another_type(L):
    L.leaf([3.0], "float32").grad = L.constant([1.0])


@failure
def a_gradient_assigned_that_is_a_number(L):
    L.leaf(3.0).grad = 0.0


@failure
def a_leaf_as_its_own_gradient(L):
    x = L.leaf(3.0)
    x.grad = x


@failure
def a_gradient_assigned_to_a_constant(L):
    c = L.constant(3.0)
    c.grad = L.constant(1.0)
    return v(c.grad)


@failure
def retain_grad_on_a_constant(L):
    L.constant(2.0).retain_grad()


@program
def a_number_of_python(L):
    return (L.leaf(2.0) * 3.0).item()


@failure
def an_array_of_numpy(L):
    L.leaf(2.0).numpy()


@failure
def no_grad_over_a_generator(L):
    @L.no_grad()
    def results(x):
        yield x * 2.0

    return next(results(L.leaf(1.0))).requires_grad


@failure
def a_node_of_a_product_with_a_constant(L):
    x, seen = L.leaf(3.0), []
    y = L.constant(2.0) * x
    y.grad_fn.register_hook(lambda gs, g: seen.append([*map(v, gs)]))
    y.backward()
    return seen
