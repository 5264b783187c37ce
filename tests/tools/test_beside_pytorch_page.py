"""The page that compares us with PyTorch says what its rows say."""

from __future__ import annotations

from tests.library.beside_pytorch.page import PAGE, entity, page
from tests.library.beside_pytorch.rows import sections


def test_the_page_is_what_the_command_writes() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(), "run `python -m tests.library.beside_pytorch.page`"


def test_every_topic_is_on_it() -> None:
    text = page()
    for section in sections():
        assert f"## {section.title}" in text
        for row in section.rows:
            assert f"<summary>{row.topic}</summary>" in text


def test_what_markdown_would_read_is_written_as_entities() -> None:
    assert entity("a") == "a"
    assert all(entity(c).startswith("&#") for c in "*_`[]()<>&|\\$~#{}")
