"""Names of values in a program, and the source lines of its calls (chapter 22)."""
