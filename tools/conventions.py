"""`python -m tools.conventions NOTEBOOK…`: print what breaks a convention."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from notebooks.conventions import unlike_the_others


def main(names: Iterable[str]) -> int:
    """Print what breaks a convention in notebooks; return 0 if nothing does."""
    found = [f"{name}: {text}" for name in names for text in unlike_the_others(name)]
    print("\n".join(found), end="\n" * bool(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
