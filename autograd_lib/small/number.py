"""The engine as it is at the end of the page on `number`, cut from `whole.py`."""

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


def send_back(v, g=1.0):
    """Add g to v.grad, and send it back along each edge, times the slope."""
    v.grad += g
    for parent, slope in v.edges:
        send_back(parent, slope * g)
