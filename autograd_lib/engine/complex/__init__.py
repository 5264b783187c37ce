"""Complex numbers: the convention, and what is refused (chapter 22)."""
