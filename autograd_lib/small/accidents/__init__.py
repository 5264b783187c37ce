"""Accidents as tests of an engine: one of yours, or the one of a page.

Each accident is a program that goes wrong on an engine without the mechanism that its
page builds. `trial.examine` runs all that can run; ``python -m autograd_lib.small test
mine.py`` does so for a file. An accident that needs a name which is not there yet is
*not yet*, with the line that a page asks for.
"""
