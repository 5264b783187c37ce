"""What a hostile or unlucky student hands in, and what becomes of it.

All answer exercise 7.1 of `masters`, and are judged in one class, beside right files.
"""

from __future__ import annotations

from notebooks.notebook import ROOT

RIGHT = "def scaled(upstream, x):\n    return 2 * x * upstream\n"
BECAUSE = "a rule multiplies by what arrives from above"
ZERO = "\n\ndef scaled(upstream, x):\n    return 0.5\n"


def when_run(code: str) -> str:
    """Return a cell that runs code before it gives an answer, and fails with it."""
    body = "\n".join(f"    {line}" for line in code.strip().splitlines())
    return f"class Run:\n{body}\n{ZERO}"


def on_the_wire(data: str) -> str:
    """Return a cell that answers in bytes of its own."""
    ready = "b'{\"ready\": 1}\\n'"
    return when_run(f"import os, time\nos.write(3, {ready} + {data})\ntime.sleep(60)")


def answering(value: str, before: str = "") -> str:
    """Return a cell whose answer is a value, whatever the input."""
    return f"{before}\ndef scaled(upstream, x):\n    return {value}\n"


CALL = "import ctypes\nif ctypes.CDLL(None).{} < 0: raise OSError"

# What is in the cell of the answer, the status, the points, and what is said of it.
ANSWERS: dict[str, tuple[str, str, float, str]] = {
    # Right answers, in forms that somebody may call strange.
    "as asked": (RIGHT, "right", 3, ""),
    "1500 terms": (RIGHT.rstrip() + " + 0.0" * 1500, "right", 3, ""),
    "45,000 letters that are not ASCII": (
        f"# {'я' * 45_000}\n" + RIGHT, "right", 3, ""
    ),
    "timed": ("%%time\n" + RIGHT, "right", 3, ""),
    "captured": ("%%capture out\n" + RIGHT, "right", 3, ""),
    "asserts": (
        RIGHT + "verdict = check(scaled, expected, reals(0, 1))\n"
        "assert verdict.passed, verdict\n",
        "right", 3, "",
    ),
    "bold b": (RIGHT.replace("upstream", "𝐛upstream"), "right", 3, ""),
    "a module of Python's": (
        "import graphlib, timeit\nimport matplotlib.pyplot\n" + RIGHT, "right", 3, ""
    ),
    "prints 40 MB": (
        "for _ in range(40): print('x' * 2**20)\n" + RIGHT, "right", 3, ""
    ),
    "starts at its end": (
        "import atexit\natexit.register(print)\nclass A:\n"
        "    def __del__(self): print(self)\na = A()\n" + RIGHT,
        "right", 3, "",
    ),
    # Names that are not the one that was asked for.
    "cyrillic o": (RIGHT.replace("scaled", "sсaled"), "missing", 0, "no cell gives"),
    "misspelled": (RIGHT.replace("scaled", "scale"), "missing", 0, "no cell gives"),
    # Work for the judge.
    "surrogate": (
        "def scaled(*_):\n    raise ValueError('\\ud800')\n", "wrong", 0, "ValueError"
    ),
    "a surrogate in the cell": ("'\ud800'\n" + RIGHT, "error", 0, "UnicodeEncodeError"),
    "10,000 minuses": (RIGHT + "1" + "-" * 10_000 + "1", "error", 0, ""),
    "deep in the cell": (RIGHT + "[" * 900 + "]" * 900, "error", 0, ""),
    "rows that are texts": (
        on_the_wire(
            'b\'{"got": {"array": [[\' + b"1," * 500_000 + b\'1], ["\''
            ' + b"x" * 500_000 + b\'"]]}}\\n\''
        ),
        "wrong", 0, "far larger than a right answer",
    ),
    "an axis of a billion": (
        on_the_wire('b\'{"got": {"array": [[1000000000, 0], []]}}\\n\''),
        "wrong", 0, "is no answer",
    ),
    "axes without end": (
        on_the_wire('b\'{"got": {"array": [[\' + b"1," * 400 + b"1], [1]]}}\\n"'),
        "wrong", 0, "is no answer",
    ),
    "deep on the wire": (
        on_the_wire('b\'{"got": \' + b"[" * 600 + b"]" * 600 + b"}\\n"'),
        "wrong", 0, "is no answer",
    ),
    "900 lists in lists": (
        "deep = []\nfor _ in range(900): deep = [deep]\n" + answering("deep"),
        "wrong", 0, "structure without end",
    ),
    "keys that collide": (
        on_the_wire(
            'b\'{"got": {"mapping": [\' + b",".join(b\'[{"integer": "%s"}, 0]\''
            ' % hex(i * (2**61 - 1)).encode() for i in range(20_000)) + b"]}}\\n"'
        ),
        "wrong", 0, "far larger than a right answer",
    ),
    "3,000 kinds of records": (
        "from dataclasses import make_dataclass\n"
        "many = [make_dataclass(f'A{i}', ['x'])(1) for i in range(150)]\n"
        + answering("many"),
        "wrong", 0, "",
    ),
    "a long text": (answering("'x' * 15_000"), "wrong", 0, "got 'xxx"),
    "a longer one": (answering("'x' * 550_000"), "wrong", 0, "far larger than"),
    # Channels to the outside.
    "the key in a NameError": (
        "import sys\ndef scaled(g, x):\n    if abs(g) <= 1.5: return 2 * g * x\n"
        "    job = sys._getframe(3).f_locals['job']\n"
        "    raise NameError('x', name='leaked' + repr((g, x)) + job['harness'])\n",
        "wrong", 0, BECAUSE,
    ),
    "the key in a name": (
        "def scaled(g, x):\n    if g > 0: return 2 * g * x\n"
        "    raise NameError('x', name='leaked_' + str(-g)[:1])\n",
        "wrong", 0, BECAUSE,
    ),
    "a text as a name": (
        "raise NameError('x', name='leaked and more')\n" + RIGHT,
        "error", 0, "NameError: x",
    ),
    "socket with a path": (
        when_run("import socket\nsocket.socket(socket.AF_UNIX).connect('/x')"),
        "error", 0, "PermissionError",
    ),
    "pair of sockets": (
        when_run("import socket\nsocket.socketpair()"), "error", 0, "PermissionError"
    ),
    "network": (
        when_run("import socket\nsocket.socket(type=socket.SOCK_DGRAM)"),
        "error", 0, "PermissionError",
    ),
    "shared memory": (when_run(CALL.format("shmget(0, 99, 0o1666)")), "error", 0, "OS"),
    "queue": (when_run(CALL.format("msgget(0, 0o1666)")), "error", 0, "OSError"),
    "semaphores": (when_run(CALL.format("semget(0, 1, 0o1666)")), "error", 0, "OS"),
    "file in memory, run": (
        when_run(
            "import os\nf = os.memfd_create('x')\nos.write(f, b'#!/bin/sh\\n')\n"
            "os.execv(f'/proc/self/fd/{f}', ['x'])"
        ),
        "error", 0, "",
    ),
    "solution of a set": (
        when_run(f"open({str(ROOT / 'course/templates/masters/ps1.md')!r})"),
        "error", 0, "PermissionError",
    ),
    "chapters": (
        when_run(f"open({str(ROOT / 'chapters/01_derivatives.ipynb')!r})"),
        "error", 0, "PermissionError",
    ),
    "/proc/self": (when_run("open('/proc/self/maps')"), "error", 0, "PermissionError"),
    "new namespaces": (
        when_run(CALL.format("unshare(0x10000000)") + "\nimport os\nos.fork()"),
        "error", 0, "",
    ),
    # What reaches into the program that asks.
    "packed replaced": (
        "import sys\nm = sys.modules['course.hold.attempt']\n"
        "m.packed = lambda v: True\n" + answering("0"),
        "wrong", 0, "got True",
    ),
    "import hook": (
        "import builtins, sys\nbuiltins.isinstance = lambda *_: True\n"
        "sys.meta_path.insert(0, type('A', (), {'find_spec': lambda *_: None})())\n"
        + answering("0.5"),
        "crashed", 0, "",
    ),
    "first answer again": (
        "first = []\ndef scaled(*args):\n    first.append(2 * args[0] * args[1])\n"
        "    return first[0]\n",
        "wrong", 0, BECAUSE,
    ),
    "settrace": (
        "import sys\ndef look(frame, event, arg):\n    frame.f_locals['got'] = 1\n"
        "    return look\nsys.settrace(look)\n" + answering("0.5"),
        "wrong", 0, "got ",
    ),
    "fd 3 closed": (when_run("import os\nos.close(3)"), "crashed", 0, ""),
    "segfault": (when_run("import ctypes\nctypes.string_at(0)"), "crashed", 0, ""),
    "stops itself": (when_run("import os\nos.kill(os.getpid(), 19)"), "timeout", 0, ""),
    "does not end": (
        when_run(
            "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
            "while True: pass"
        ),
        "timeout", 0, "",
    ),
    "a fault that is none": (
        when_run("import os\nos.write(3, b'{\"fault\": \"no memory\"}\\n')"),
        "error", 0, "it says nothing",
    ),
    # Objects that lie.
    "__reduce__": (
        "class A:\n    def __reduce__(self): return (print, ())\n" + answering("A()"),
        "wrong", 0, "got a A",
    ),
    "class = float": (
        "class A:\n    __class__ = float\n    def __eq__(self, other): return True\n"
        + answering("A()"),
        "wrong", 0, "",
    ),
    "an array that lies": (
        "import numpy as np\nclass A(np.ndarray):\n"
        "    def __array_ufunc__(self, *_, **__): return True\n"
        "    def tolist(self): return 0.5\n" + answering("np.zeros(3).view(A)"),
        "wrong", 0, "is no answer",
    ),
    "a hex of its own": (
        "class A(float):\n    def hex(self): return 'any'\n" + answering("A(0.5)"),
        "wrong", 0, "got 0.5",
    ),
    "nan": (answering("float('nan')"), "wrong", 0, "got nan"),
    "inf": (answering("float('inf')"), "wrong", 0, "got inf"),
    "an empty list": (answering("[]"), "wrong", 0, "got ()"),
}  # fmt: skip
