"""The book as a course: hand out, collect, judge, report.

`handout` makes students' notebooks; `grade` is the command that judges them. It reads
what was handed in (`collect`), finds each answer in it (`find`), and lets two processes
talk: the `stage` has run the page, and forks a child for every attempt (`attempt`),
which is confined (`confine`, `landlock`); the `judge` holds the `key`. Only plain data
crosses (`plain`). `instructors.md` says how to use it, and what it does not hold.
"""
