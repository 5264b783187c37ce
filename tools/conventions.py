"""`python -m tools.conventions NOTEBOOK…`: print breaches of conventions."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from notebooks.conventions import unlike_the_others


def main(names: Iterable[str]) -> int:
    """Print the breaches in notebooks; return 0 if there are none."""
    found = [f"{name}: {text}" for name in names for text in unlike_the_others(name)]
    print("\n".join(found), end="\n" * bool(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
