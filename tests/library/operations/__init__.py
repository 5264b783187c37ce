"""Every operation as cases: what to call, with which inputs, and what PyTorch says.

A file ``cases_<file of ops>.py`` has a list `CASES`. The tests in `test_operations.py`,
those of agreement with PyTorch, and the page that lists all operations go through them.
"""
