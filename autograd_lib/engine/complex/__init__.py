"""Complex numbers: the convention, and refused operations (chapter 19)."""
