"""Tensors and NumPy: its functions, its data, and its words (chapter 13)."""
