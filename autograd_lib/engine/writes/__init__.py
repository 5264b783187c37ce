"""Writes in place: versions of memory, and views that follow a write (chapter 17)."""
