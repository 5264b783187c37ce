"""The tape: how an operation is recorded, and the backward pass (chapter 09)."""
