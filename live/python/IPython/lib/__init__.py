"""The build puts `pretty.py` here, the printer that made the committed outputs."""
