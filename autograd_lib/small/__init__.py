"""The engine that the reader owns, from a float that remembers to a GPT (chapter 00).

`whole` is that engine in the order in which the pages write it. There is a module for
each step, cut from it and named by what the step adds: `number`, `order`, `graph`,
`copies`, `tensor`, `numpy`, `choices`, `leaves`, `steps`, `layer`, `parts` and `gpt`.
No class is changed by a later step, and a function only as a whole. `accidents` are its
tests, and those of yours: ``python -m autograd_lib.small test mine.py``. On a page,
`cells.begin` has the engine of the page before, and `%%engine` adds to it; `kept` has
what its GPT learned.
"""
