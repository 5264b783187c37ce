"""How many places a program has compared before a call: those that code can reach (24).

Each place costs time at every call, so a name that two things have by chance may not
lead from one to the other.
"""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from autograd_lib.program.calls.captured import Search

MANY = 60  # names in a module, far more than what a function below reads


@pytest.fixture
def package(monkeypatch):
    """Return a module `relu` of many names, and what makes a function beside it."""

    def loaded(name):
        made = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, made)
        return made

    loaded("a_readers_package").relu = relu = loaded("a_readers_package.relu")
    vars(relu).update({f"constant{i}": float(i) for i in range(MANY)})
    layers = loaded("a_readers_package.layers")
    vars(layers).update(__package__="a_readers_package", constant1=1.0)

    def function(source):
        exec(source, vars(layers))
        return layers.f

    return relu, function


def places_in(module, f):
    """Return the names of a module that are compared before each call of a program."""
    captures = Search((f,), (), ()).captures()
    return {k.key for k in captures if k.holder is vars(module)}


def test_an_attribute_does_not_lead_to_a_module_of_its_name(package):
    relu, function = package
    f = function("def f(net, x):\n    return net.relu(x) * constant1")
    assert places_in(relu, f) == set()


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    from . import relu\n    return x * relu.constant2",
        "from . import relu as m\n"
        "def g(x):\n    return x * m.constant2\n"
        "def f(net, x):\n    return sum(vars(net).values()) + g(x)",
    ],
    ids=["an import", "beside vars of an object"],
)
def test_a_module_is_looked_at_for_the_names_that_code_has(package, source):
    relu, function = package
    places = places_in(relu, function(source))
    assert "constant2" in places
    assert len(places) < MANY / 2


def test_vars_of_a_module_opens_all_of_it(package):
    relu, function = package
    f = function(
        "from . import relu as m\ndef f(x):\n    return x * vars(m)['constant' + '4']"
    )
    assert len(places_in(relu, f)) >= MANY
