"""Which calls a program fits, and what it is given (chapter 22).

| what happens … | file |
| --- | --- |
| when a compiled function is called | `compiled` |
| when a number that it found, or an argument, changes | `constant_or_input` |
| before a call, to see if a program fits | `guard`, `found_place` for each place |
| when a function is recorded | `recorded_run`, and `restoring` afterwards |
| when the code asks for a number, branches, prints or writes | `strict_tracer` |
| to `loss.item()` and other Python numbers | `traced_number` |
| to random numbers | `draws` |
| to what the function writes | `side_effects` |
| to what it returns | `results` |
| to what could change unseen | `unseen` |
| when a program is used a first, a second and a third time | `program` |
| at calls 2, 4, 8, 16 | `net` |
| where recording costs more than it brings | `floor` |
"""
