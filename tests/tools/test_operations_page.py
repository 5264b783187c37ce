"""The page that lists every operation says what is so now."""

from __future__ import annotations

import pytest

from tests.library.operations.page import PAGE, function_of, page, row_of


def test_the_page_is_what_the_command_writes() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(), "run `python -m tests.library.operations.page`"


def test_an_operation_that_is_not_there_is_named() -> None:
    with pytest.raises(LookupError, match=r"elsewhere\.nonsense"):
        function_of("elsewhere.nonsense")


def test_an_operation_without_a_case_is_refused() -> None:
    deg2rad = function_of("numpy.deg2rad")
    file = deg2rad.__module__.rpartition(".")[2]
    with pytest.raises(LookupError, match=rf"deg2rad.*no case.*cases_{file}\.py"):
        row_of(deg2rad, ["`numpy.deg2rad`"], [])
    assert "plain" in row_of(function_of("numpy.floor"), ["`numpy.floor`"], [])[1]
