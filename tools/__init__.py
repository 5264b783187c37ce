"""Commands for maintainers: run `python -m tools.NAME` at the top of the repository."""
