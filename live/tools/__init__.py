"""Puts together what live pages load: Pyodide, packages, an editor, and our own code.

All of it is served by the book's own site, fetched when the book is built, and checked
against hashes that `live/assets.toml` pins. What cannot be had is left out and said so.
"""
