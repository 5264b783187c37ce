"""Tensors and NumPy: its functions, conversions, and error messages (chapter 10)."""
