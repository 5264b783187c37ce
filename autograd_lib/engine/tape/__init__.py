"""The tape: how an operation is recorded, and the way back (chapter 12)."""
