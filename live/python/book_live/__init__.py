"""The Python side of a live page: it runs in the reader's browser, inside Pyodide.

It does for a page what IPython's kernel does for a notebook, as far as the book needs:
cells with a last expression, streams, displays, figures, errors. It is plain Python, so
the tests run it in CPython too.
"""
