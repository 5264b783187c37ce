"""The engine as it is at the end of the page on `order`, cut from `whole.py`."""

from itertools import count

# %% number: a float that remembers what it was made from


class Number:
    """A float, and an edge (parent, slope) to each one it was made from."""

    def __init__(self, data, edges=()):
        self.data, self.edges, self.grad = data, edges, 0.0

    def __add__(self, other):
        return Number(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        edges = [(self, other.data), (other, self.data)]
        return Number(self.data * other.data, edges)


def send_back(y, g=1.0):
    """Add g to y.grad; then each number sends its grad back, once."""
    y.grad += g
    for v in latest_first(y):
        for parent, slope in v.edges:
            parent.grad += slope * v.grad


# %% order: the number that was made last has its turn first


clock = count()


def numbered(v, data, edges=()):
    """Do what Number.__init__ did, and note when v was made."""
    v.data, v.edges, v.grad, v.made = data, edges, 0.0, next(clock)


Number.__init__ = numbered


def latest_first(y) -> list:
    """Return y and all that it was made from, the latest first."""
    waiting, found = [y], set()
    while waiting:
        v = waiting.pop()
        if v not in found:
            found.add(v)
            waiting += [parent for parent, *_ in v.edges]
    return sorted(found, key=lambda v: v.made, reverse=True)
