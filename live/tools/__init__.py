"""Collect the files that live pages load: Pyodide, packages, an editor, and our code.

All of it is served by the book's own site, fetched when the book is built, and checked
against hashes that `live/assets.toml` pins. Files that cannot be fetched are left out,
and the build says so.
"""
