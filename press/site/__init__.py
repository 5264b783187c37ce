"""Finish the pages that Sphinx has written: see `finish`."""
