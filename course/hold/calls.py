"""The system calls that an answer may make, for Linux on two kinds of processors.

They read files and descriptors, use memory, time and signals of their own process, and
ask about it. All others are refused: those that change a file's mode, times or owner,
reach another process, make one, or leave anything behind, and those that a later kernel
brings. The numbers are those of `asm/unistd_64.h` and `asm-generic/unistd.h`.
"""

from __future__ import annotations

Numbers = tuple[int | None, int | None]

# fmt: off
ALLOWED: dict[str, Numbers] = {  # x86_64, aarch64
    # descriptors
    "read": (0, 63), "readv": (19, 65), "pread64": (17, 67), "preadv": (295, 69),
    "write": (1, 64), "writev": (20, 66), "lseek": (8, 62), "close": (3, 57),
    "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "pipe": (22, None), "pipe2": (293, 59), "poll": (7, None), "ppoll": (271, 73),
    "select": (23, None), "pselect6": (270, 72),
    # the socket that it has
    "recvfrom": (45, 207), "sendto": (44, 206), "shutdown": (48, 210),
    "getsockopt": (55, 209), "getsockname": (51, 204), "getpeername": (52, 205),
    # files that may be read
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, None), "readlinkat": (267, 78), "stat": (4, None),
    "lstat": (6, None), "fstat": (5, 80), "newfstatat": (262, 79), "statx": (332, 291),
    "getdents": (78, None), "getdents64": (217, 61), "getcwd": (79, 17),
    # memory
    "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216),
    "brk": (12, 214), "madvise": (28, 233),
    # signals to itself, and time
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137),
    "sigaltstack": (131, 132), "restart_syscall": (219, 128), "pause": (34, None),
    "alarm": (37, None), "setitimer": (38, 103), "getitimer": (36, 102),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "gettimeofday": (96, 169), "time": (201, None),
    "times": (100, 153), "futex": (202, 98),
    # what it is, and its end
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178),
    "getpgrp": (111, None), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148),
    "getresgid": (120, 150), "getgroups": (115, 158), "getrandom": (318, 278),
    "getrusage": (98, 165), "getrlimit": (97, 163), "setrlimit": (160, 164),
    "sysinfo": (99, 179), "uname": (63, 160), "sched_getaffinity": (204, 123),
    "sched_yield": (24, 124), "getcpu": (309, 168), "wait4": (61, 260),
    "exit": (60, 93), "exit_group": (231, 94),
}
# fmt: on

CHANGES = 0o3 | 0o100 | 0o1000
"""Of the flags of `open`: to write, O_CREAT, O_TRUNC."""
OPENING: dict[str, tuple[Numbers, int]] = {"open": ((2, None), 1)}
OPENING["openat"] = (257, 56), 2
"""Calls that are allowed without `CHANGES`, and which argument has the flags."""

TO_ITSELF: dict[str, Numbers] = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "prlimit64": (302, 261),
}
"""Calls that are allowed where their first argument is the process itself."""

IOCTL, FCNTL = (16, 29), (72, 25)
ASKING: dict[Numbers, tuple[int, ...]] = {
    IOCTL: (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451),
    FCNTL: (0, 1, 2, 3, 4, 1030),
}
"""Calls that are allowed with some numbers as their second argument: about a terminal,
its size, bytes that wait, blocking, and closing at exec; to copy a descriptor and ask
about its flags. Not to lease or lock a file, nor to have signals sent to others."""
