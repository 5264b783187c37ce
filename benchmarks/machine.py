"""What a measure was made on, without the machine's own name."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")


def conditions() -> dict[str, str]:
    """Return the date, the version of Python, the system and the processor's model."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processor": f"{processor()}, {os.cpu_count()} cores",
    }


def processor() -> str:
    """Return the processor's model as the system tells it."""
    if CPUINFO.exists():
        found = re.search(r"(?m)^model name\s*: (.+)$", CPUINFO.read_text())
        if found:
            return found[1]
    return platform.processor() or platform.machine()
