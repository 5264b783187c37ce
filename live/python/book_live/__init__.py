"""The Python side of a live page, which runs inside Pyodide in the reader's browser.

It does for a page what IPython's kernel does for a notebook, as far as the book needs:
cells whose last expression is shown, streams, displays, figures and errors. It is plain
Python, so that the tests can run it in CPython too.
"""
