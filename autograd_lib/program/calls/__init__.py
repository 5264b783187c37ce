"""Which calls a program fits, and what it is given (chapter 24)."""
