"""The machine and the conditions of a measurement, without the machine's name."""

from __future__ import annotations

import os
import platform
import re
import sysconfig
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")

# If OpenBLAS is made to use other kernels or cache sizes than it would choose itself,
# matrix products take up to 1.8 times as long, and all ratios look better than they
# are.
TAMPERING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


def conditions() -> dict[str, str]:
    """Return the date, Python and how it was built, the system and the processor."""
    cleared = [name for name in TAMPERING if name in os.environ]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "python": f"{python} {built()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processor": f"{processor()}, {used()} of {os.cpu_count()} cores",
    } | ({"cleared": f"{' and '.join(cleared)} cleared"} if cleared else {})


def pin() -> None:
    """Pin this process, and all threads that it will start, to one core.

    It is always the same core, if the system supports that: engines that take turns do
    not disturb each other, and none gets a second core by starting threads.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def used() -> str:
    """Return the number of cores of a measured process."""
    return "one" if hasattr(os, "sched_setaffinity") else "not pinned to one"


def without_tampering(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the variables that change matrix products."""
    return {k: v for k, v in environment.items() if k not in TAMPERING}


def built() -> str:
    """Return how Python was compiled, which changes small operations by a tenth."""
    options = sysconfig.get_config_var("CONFIG_ARGS")
    if options is None:  # on Windows
        return "(how it was built is not known)"
    guided = "--enable-optimizations" in options
    return f"(built {'with' if guided else 'without'} profile-guided optimisation)"


def processor() -> str:
    """Return the processor's model, according to the system."""
    if CPUINFO.exists():
        found = re.search(r"(?m)^model name\s*: (.+)$", CPUINFO.read_text())
        if found:
            return found[1]
    return platform.processor() or platform.machine()
