"""In-place writes: versions of memory, and views that follow a write (chapter 14)."""
