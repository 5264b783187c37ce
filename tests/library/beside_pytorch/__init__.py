"""The book's engine beside PyTorch, as rows that are run on both sides.

Each TOML file is a section of the page *Here and in PyTorch*: its title, what it is
about, and its rows. A row has a `topic`, the `chapter` that tells of it, a `why`, and
the lines to run. `code`, `gives` and `warns` hold on both sides; where the sides differ
they are `here_code` and `pytorch_code`, and so on. What an error or a warning says need
only begin as it is written. `covers` names what other tests found to differ.
`sides.py` says which names the lines find.
"""
