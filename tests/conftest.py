"""What all tests share: property tests that repeat, and the order of files."""

from __future__ import annotations

import hypothesis
import pytest

# These files take minutes each. Begun last, one of them would keep one process busy
# while all others have nothing left to do.
SLOW = ("tests/browser/", "tests/book/test_exercises", "chapters/")

hypothesis.settings.register_profile("book", deadline=None, derandomize=True)
hypothesis.settings.load_profile("book")


collect_ignore = ["conftest.py"]  # holds no examples; two files of one name clash


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow files first; among the others the order stays."""
    items.sort(key=lambda item: not item.nodeid.startswith(SLOW))
