"""Leaves, `.grad`, hooks, `no_grad`, and copies of tensors (chapter 13)."""
