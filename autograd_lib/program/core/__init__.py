"""What records a function, and writes down what it did (chapter 22)."""
