"""Small programs about hooks (see `leaf_programs`)."""

from tests.library.helpers.leaf_programs import failure, program, v


@program
def retained_and_a_hook_of_the_node(L):
    x = L.leaf(3.0)
    y = x * 2.0
    y.retain_grad()
    y.grad_fn.register_prehook(lambda g: L.given(L.one(g) * 7.0))
    y.backward()
    return v(y.grad), v(x.grad)


@program
def hooks_in_order(L):
    x, seen = L.leaf(1.0), []
    y = x * 3.0
    y.grad_fn.register_hook(lambda gs, g: seen.append("after"))
    y.grad_fn.register_prehook(lambda g: seen.append("before"))
    x.register_hook(lambda g: seen.append("leaf"))
    y.register_hook(lambda g: seen.append("tensor"))
    x.register_hook(lambda g: g + 1.0)
    x.register_hook(lambda g: g * 10.0)
    (y + y).backward()
    return seen, v(x.grad)


@program
def hooks_and_grad(L):
    x = L.leaf(2.0)
    y = x * 3.0
    y.register_hook(lambda g: g * 10.0)
    x.register_hook(lambda g: g + 1.0)
    y.grad_fn.register_prehook(lambda g: L.given(L.one(g) * 7.0))
    z = y * 1.0
    return v(L.grad(z, y, retain_graph=True)[0]), v(L.grad(z, x)[0]), v(x.grad)


@program
def hooks_of_a_node(L):
    x, w, seen = L.leaf(3.0), L.leaf(2.0), []
    y = x * w
    node = y.grad_fn
    node.register_prehook(lambda g: L.given(L.one(g) * 10.0))
    node.register_hook(lambda gs, g: seen.append([*map(v, gs), v(L.one(g))]))
    node.register_hook(lambda gs, g: (gs[0] + 1.0, None))
    y.backward()
    return seen, v(x.grad), v(w.grad)


@program
def hooks_that_change_hooks(L):
    x, seen = L.leaf(1.0), []

    def changing(gradient):
        seen.append("a")
        last.remove()
        x.register_hook(lambda g: seen.append("c"))

    first = x.register_hook(changing)
    last = x.register_hook(lambda g: seen.append("b"))
    x.backward()
    first.remove()
    x.backward()
    return seen


@program
def recorded_hooks(L):
    x = L.leaf(2.0)
    y = x * x
    y.register_hook(lambda g: g * x)
    (slope,) = L.grad(y * y, x, create_graph=True)
    return v(slope), v(L.grad(slope, x)[0])


@program
def a_pass_inside_a_hook(L):
    x = L.leaf(3.0)
    y = x * 2.0

    def walks_back(gradient):
        with L.enable_grad():
            (x * 5.0).backward()

    y.register_hook(walks_back)
    (x + y * y).backward()
    return v(x.grad)


@failure
def a_hook_on_a_constant(L):
    L.constant(2.0).register_hook(print)


@failure
def a_hook_that_is_no_function(L):
    L.leaf(2.0).register_hook(3)


@failure
def a_hook_returns_another_shape(L):
    x = L.leaf([3.0])
    x.register_hook(lambda g: L.constant([1.0, 2.0]))
    x.sum().backward()


@failure
def a_hook_returns_a_number(L):
    x = L.leaf(3.0)
    x.register_hook(lambda g: 1.0)
    x.backward()


@failure
def a_hook_of_a_node_returns_too_little(L):
    y = L.leaf(3.0) * L.leaf(2.0)
    y.grad_fn.register_hook(lambda gs, g: (gs[0],))
    y.backward()


@failure
def a_hook_raises_an_exception(L):
    x, w = L.leaf(3.0), L.leaf(2.0)
    y = x * 2.0

    def fails(gradient):
        raise KeyError("planned")

    y.register_hook(fails)
    try:
        (w * 3.0 + y).backward()
    except KeyError:
        return v(x.grad), v(w.grad)


@failure
def a_hook_writes_into_its_argument(L):
    x, w = L.leaf([3.0]), L.leaf([4.0])

    def writes(gradient):
        gradient *= 10.0

    x.register_hook(writes)
    (x + w).backward(L.constant([1.0]))
    return v(x.grad), v(w.grad)
