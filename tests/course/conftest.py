"""What all tests of the course share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import pytest


@pytest.fixture(autouse=True, scope="session")
def stages() -> Iterator[None]:
    """Start the stage of a small page once, where there are stages."""
    if find_spec("resource") is None:
        yield
        return
    from tests.course.helpers.stages import kept

    yield from kept()
