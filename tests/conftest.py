"""What all tests share: property tests that repeat."""

from __future__ import annotations

import hypothesis

hypothesis.settings.register_profile("book", deadline=None, derandomize=True)
hypothesis.settings.load_profile("book")


collect_ignore = ["conftest.py"]  # holds no examples; two files of one name clash
