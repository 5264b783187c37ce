"""What all tests share: property tests that repeat, and the order of files."""

from __future__ import annotations

import gc
import sys

import hypothesis
import numpy as np
import pytest

# These files take long. Begun last, one of them would keep one process busy while all
# others have nothing left to do. The book is built while the first ones run.
SLOW = ("chapters/", "tests/course/", "tests/tools/", "tests/notebooks/")
SLOW += ("tests/browser/", "tests/book/test_exercises", "tests/press/")

hypothesis.settings.register_profile("book", deadline=None, derandomize=True)
hypothesis.settings.load_profile("book")


collect_ignore = ["conftest.py"]  # holds no examples; two files of one name clash


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the argument that asks for everything."""
    parser.addoption("--exhaustive", action="store_true", help="what runs weekly, too")


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leave out what runs weekly, and put slow files first."""
    if not config.getoption("--exhaustive"):
        weekly = [item for item in items if item.get_closest_marker("exhaustive")]
        config.hook.pytest_deselected(items=weekly)
        items[:] = [i for i in items if not i.get_closest_marker("exhaustive")]
    items.sort(key=place_of)


def pytest_collection_finish() -> None:
    """Let collections of garbage look at what tests make, not at all else."""
    gc.collect()
    gc.freeze()


def place_of(item: pytest.Item) -> int:
    """Return where a test's file stands among the slow ones, or after them."""
    several = (i for i, files in enumerate(SLOW) if item.nodeid.startswith(files))
    return next(several, len(SLOW))


def pytest_runtest_setup() -> None:
    """Let PyTorch's layers begin with the same numbers, whatever ran before."""
    if torch := sys.modules.get("torch"):
        torch.manual_seed(0)


PRINTED = np.get_printoptions()
WARNED = np.geterr()


def pytest_runtest_teardown() -> None:
    """Let NumPy print and warn as before a test, whatever the code that it ran set."""
    if np.get_printoptions() != PRINTED:
        np.set_printoptions(**PRINTED)
    np.seterr(**WARNED)
