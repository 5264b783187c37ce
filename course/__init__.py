"""The book as a course: hand out, collect, judge, report.

`README.md` has its map, and the book's page `pages/instructors.md` says how to use it.
"""
