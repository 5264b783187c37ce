"""Commands of the book; run each as `python -m tools.NAME` from its directory."""
