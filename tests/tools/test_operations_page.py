"""The page that lists every operation says what is so now."""

from __future__ import annotations

import pytest

from tools.operations import PAGE, function_of, page


def test_the_page_is_what_the_command_writes() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(), "run `python -m tools.operations`"


def test_an_operation_that_is_not_there_is_named() -> None:
    with pytest.raises(LookupError, match=r"elsewhere\.nonsense"):
        function_of("elsewhere.nonsense")
