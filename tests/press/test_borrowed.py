"""The API page shows what a module has, and nothing that it only borrows."""

from __future__ import annotations

from typing import Any

from autograd_lib.nn import losses
from press.sphinx.book_ext.repairs import skip_borrowed


def skipped(what: str, member: Any) -> bool | None:
    return skip_borrowed(None, what, "name", member, False, None)  # type: ignore[arg-type]


def test_a_bound_method_of_another_module_is_left_out() -> None:
    assert skipped("module", vars(losses)["numpy"]) is True
    assert skipped("module", losses.cross_entropy) is None
    assert skipped("class", vars(losses)["numpy"]) is None
