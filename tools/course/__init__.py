"""The book as a course: hand out, collect, judge, report.

`handout` makes students' notebooks; `grade` is the command that judges them. It reads
what was handed in (`collect`), finds each answer in it (`find`), and lets two processes
talk: the `stage` has run the page, and forks a child for every attempt (`attempt`),
which is confined (`confine`, `landlock`); the `judge` holds the `key`. Only plain data
crosses (`plain`). `gate` says whether a set can be trusted, and `leaks` searches what
is published for it; `nbgrader` exports a set; `capstone` puts a design on the probe
card. `instructors.md` says how to use all this, and what it does not hold.
"""
