"""Numbers and functions of numbers: Parts I and II of the book."""
