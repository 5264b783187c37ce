"""Answers that a reader may well give to the exercises of chapter 13."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "13.1": [
        """
def update(params, rate):  # writes into the old array
    for p in params:
        if p.grad is not None:
            p.data -= rate * p.grad.data
            p.grad = None
""",
        """
def update(params, rate):  # new tensors under the same name
    for p in params:
        if p.grad is not None:
            p = p - rate * p.grad
            p.grad = None
""",
        """
def update(params, rate):  # never begins anew
    for p in params:
        if p.grad is not None:
            p.data = p.data - rate * p.grad.data
""",
        """
def update(params, rate):  # every leaf, used or not
    for p in params:
        p.data = p.data - rate * p.grad.data
        p.grad = None
""",
        """
def update(params, rate):  # uphill
    for p in params:
        if p.grad is not None:
            p.data = p.data + rate * p.grad.data
            p.grad = None
""",
        """
def update(params, rate):  # a fixed length
    for p in params:
        if p.grad is not None:
            p.data = p.data - rate * np.sign(p.grad.data)
            p.grad = None
""",
    ],
    "13.2": [
        "rounded = lambda t: np.round(t)",
        "rounded = lambda t: np.round(t.detach())",
        "rounded = lambda t: np.round(t.detach()) + t",
        "rounded = lambda t: t - t.detach()",
        "rounded = lambda t: np.round(t.detach()) + (t.detach() - t)",
    ],
    "13.3": [
        """
def limit_length(t, longest):  # each element by itself
    return t.register_hook(lambda g: np.clip(g, -longest, longest))
""",
        """
def limit_length(t, longest):  # short ones are made longer
    return t.register_hook(lambda g: g * (longest / np.linalg.norm(g.data)))
""",
        """
def limit_length(t, longest):  # no handle
    def hook(g):
        length = np.linalg.norm(g.data)
        return g * (longest / length) if length > longest else None

    t.register_hook(hook)
""",
        """
def limit_length(t, longest):  # the largest element is not the length
    def hook(g):
        length = abs(g.data).max()
        return g * (longest / length) if length > longest else None

    return t.register_hook(hook)
""",
        """
def limit_length(t, longest):  # the square of the length
    def hook(g):
        length = (g.data**2).sum()
        return g * (longest / length) if length > longest else None

    return t.register_hook(hook)
""",
    ],
    "13.4": [
        """
@contextmanager
def frozen(params):  # not after an error
    wanted = [p.requires_grad for p in params]
    for p in params:
        p.requires_grad_(False)
    yield
    for p, before in zip(params, wanted):
        p.requires_grad_(before)
""",
        """
@contextmanager
def frozen(params):  # constants become leaves that want a gradient
    for p in params:
        p.requires_grad_(False)
    try:
        yield
    finally:
        for p in params:
            p.requires_grad_(True)
""",
        """
@contextmanager
def frozen(params):  # nothing is recorded, and all still need a gradient
    with no_grad():
        yield
""",
        """
@contextmanager
def frozen(params):  # swallows the error
    wanted = [p.requires_grad for p in params]
    for p in params:
        p.requires_grad_(False)
    try:
        yield
    except Exception:
        pass
    finally:
        for p, before in zip(params, wanted):
            p.requires_grad_(before)
""",
    ],
    "13.6": [
        "removable = lambda x, hook: (hooked(x, hook), lambda: None)",
        """
def removable(x, hook):  # the gradient is gone with the hook
    on = [hook]
    return hooked(x, lambda g: on[0](g) if on else g * 0.0), on.clear
""",
        """
def removable(x, hook):  # never called
    return hooked(x, lambda g: None), lambda: None
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "13.1": [
        """
def update(params, rate):
    for p in params:
        if p.grad is None:
            continue
        p.data = p.data * 1.0 - rate * p.grad.data
        p.grad = None
""",
        """
def update(params, rate):
    with engine.no_grad():
        for p in [p for p in params if p.grad is not None]:
            p.data = (p - rate * p.grad).data
            p.grad = None
""",
    ],
    "13.2": [
        "rounded = lambda t: t + (np.round(t) - t).detach()",
        "rounded = lambda t: t + np.round(t.data) - t.data",
    ],
    "13.3": [
        """
def limit_length(t, longest):
    def hook(g):
        length = np.sqrt((g * g).sum()).item()
        return g * min(1.0, longest / length) if length else g

    return t.register_hook(hook)
""",
    ],
    "13.4": [
        """
class frozen:
    def __init__(self, params):
        self.params = params

    def __enter__(self):
        self.wanted = [p.requires_grad for p in self.params]
        for p in self.params:
            p.requires_grad = False

    def __exit__(self, *_):
        for p, before in zip(self.params, self.wanted):
            p.requires_grad = before
""",
    ],
    "13.6": [
        """
def removable(x, hook):
    state = {"on": True}

    def maybe(g):
        return hook(g) if state["on"] else None

    return hooked(x, maybe), lambda: state.update(on=False)
""",
    ],
}
