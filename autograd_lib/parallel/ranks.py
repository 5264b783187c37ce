"""Processes that calculate together, and their collectives on arrays (chapter 24).

The communication is MPI's, through mpi4py: https://mpi4py.readthedocs.io. Without it
there is only one rank.
"""

from __future__ import annotations

import sys
import time
import traceback
from functools import cache
from itertools import pairwise
from types import TracebackType
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.parallel.checking import Checker, Intent, content_of, place

LAST_WORDS = 1.0  # seconds to wait for other ranks' error messages


class Ranks:
    """Processes that calculate together.

    Args:
        communicator: an mpi4py communicator; None for this process alone.

    Attributes:
        me: the number of this rank, from 0.
        size: how many there are.

    >>> alone = Ranks()
    >>> alone.me, alone.size, alone.sum(np.ones(2), "sum_of_all")
    (0, 1, array([1., 1.]))
    """

    def __init__(self, communicator: Any = None) -> None:
        self._mpi = communicator
        self._checker: Checker | None = None
        self.me: int = communicator.Get_rank() if communicator else 0
        self.size: int = communicator.Get_size() if communicator else 1

    @property
    def checked(self) -> bool:
        """Whether ranks compare what they are about to do; set it on all of them.

        If they differ, all of them raise `RanksDiffer`. It costs a message to each
        partner before each operation.
        """
        return self._checker is not None

    @checked.setter
    def checked(self, on: bool) -> None:
        self._checker = Checker(self._mpi) if on and self.size > 1 else None

    @property
    def checker(self) -> Checker | None:
        """The object that compares, in checked mode; its `patience` is in seconds."""
        return self._checker

    def part(self, n: int) -> slice:
        """Return this rank's slice of n items; lengths differ by at most 1."""
        return slice(*self._ends(n)[self.me : self.me + 2])

    def _ends(self, n: int) -> list[int]:
        return [r * n // self.size for r in range(self.size + 1)]

    def sum(self, a: np.ndarray, name: str) -> np.ndarray:
        """Return the sum of all ranks' arrays, which have the same shape and type."""
        self._agree(name, a.shape, a.dtype)
        total = numpy().array(a, order="C")
        if self.size > 1:
            summable(name, a.dtype)
            self._mpi.Allreduce(numpy().ascontiguousarray(a), total)
        return total

    def shared(self, a: np.ndarray, name: str) -> None:
        """In checked mode, compare an array that all ranks should hold alike."""
        if self._checker is not None:
            self._agree(name, a.shape, a.dtype, content=content_of(a))

    def gather(self, a: np.ndarray, axis: int, name: str) -> np.ndarray:
        """Return all ranks' arrays joined along an axis, in the order of ranks.

        Raises:
            ValueError: if their lengths are not those of `part`.
        """
        if self.size == 1:
            return numpy().array(a)
        first = numpy().ascontiguousarray(np.moveaxis(a, axis, 0))
        self._agree(name, (*first.shape[1:], f"… joined along axis {axis}"), a.dtype)
        lengths = self._mpi.allgather(len(first))
        cut = [end - start for start, end in pairwise(self._ends(sum(lengths)))]
        if lengths != cut:
            raise ValueError(
                f"{name}: along axis {axis} the ranks' parts have lengths {lengths}; "
                f"{sum(lengths)} are cut into {cut}, as scatter cuts them"
            )
        whole = numpy().empty((sum(lengths), *first.shape[1:]), a.dtype)
        row = int(np.prod(first.shape[1:], dtype=int)) * a.itemsize
        counts = [n * row for n in lengths]
        self._mpi.Allgatherv(as_bytes(first), (as_bytes(whole), counts))
        return np.moveaxis(whole, 0, axis)

    def reduce_scatter(self, a: np.ndarray, axis: int, name: str) -> np.ndarray:
        """Return this rank's part, along an axis, of the sum of all ranks' arrays."""
        if self.size == 1:
            return numpy().array(a)
        first = numpy().ascontiguousarray(np.moveaxis(a, axis, 0))
        self._agree(name, (*first.shape, f"cut along axis {axis}"), a.dtype)
        summable(name, a.dtype)
        row = int(np.prod(first.shape[1:], dtype=int))
        lengths = [end - start for start, end in pairwise(self._ends(len(first)))]
        counts = [length * row for length in lengths]
        total = numpy().empty((lengths[self.me], *first.shape[1:]), a.dtype)
        self._mpi.Reduce_scatter(first, total, counts)
        return np.moveaxis(total, 0, axis)

    def exchange(self, a: np.ndarray, axis: int, name: str) -> np.ndarray:
        """Split an array into a part for each rank, and join the parts from all ranks.

        Raises:
            ValueError: if the axis cannot be split into equal parts.
        """
        if a.shape[axis] % self.size:
            raise ValueError(
                f"{name}: axis {axis} of shape {a.shape} cannot be cut into "
                f"{self.size} equal parts, one for each rank; pad it"
            )
        if self.size == 1:
            return numpy().array(a)
        first = numpy().ascontiguousarray(np.moveaxis(a, axis, 0))
        self._agree(name, (*first.shape, f"cut along axis {axis}"), a.dtype)
        came = np.empty_like(first)
        self._mpi.Alltoall(as_bytes(first), as_bytes(came))
        return np.moveaxis(came, 0, axis)

    def send(self, a: np.ndarray, to: int) -> None:
        """Send an array to another rank, which must receive it.

        Raises:
            ValueError: if there is no other rank of this number.
        """
        self._other("send", to)
        self._agree(f"a message from {self.me} to {to}", None, None, (to,))
        self._mpi.send((a.shape, a.dtype.str), to)
        self._mpi.Send(as_bytes(numpy().ascontiguousarray(a)), to)

    def receive(self, source: int) -> np.ndarray:
        """Return the array that another rank sends.

        Raises:
            ValueError: if there is no other rank of this number.
        """
        self._other("receive", source)
        self._agree(f"a message from {source} to {self.me}", None, None, (source,))
        shape, dtype = self._mpi.recv(source=source)
        a = numpy().empty(shape, dtype)
        self._mpi.Recv(as_bytes(a), source)
        return a

    def objects(self, mine: Any) -> list[Any]:
        """Return the objects of all ranks, in their order; they should be small."""
        self._agree("an exchange", None, None)
        return list(self._mpi.allgather(mine)) if self.size > 1 else [mine]

    def _other(self, name: str, rank: int) -> None:
        if rank == self.me or not 0 <= rank < self.size:
            raise ValueError(
                f"{name}: rank {self.me} of {self.size} needs another rank, from 0 to "
                f"{self.size - 1}, got {rank}"
            )

    def _agree(
        self,
        name: str,
        shape: Any,
        dtype: Any,
        partners: tuple[int, ...] = (),
        content: tuple[float, ...] = (),
    ) -> None:
        if self._checker is not None:
            numbers = "" if shape is None else f"shape {shape}, {dtype}"
            where = place()
            line = "" if partners else where
            intent = Intent(name, numbers, line, where, content)
            self._checker.agree(intent, partners or range(self.size))

    def __repr__(self) -> str:
        return f"rank {self.me} of {self.size}"


@cache
def world() -> Ranks:
    """Return all processes that ``mpiexec`` started, or this one alone.

    With several ranks, an error that ends one of them ends all, and so does `sys.exit`
    with a status, because the others would wait forever.
    """
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError):  # no MPI library is installed
        return Ranks()
    ranks = Ranks(MPI.COMM_WORLD)
    if ranks.size > 1:
        sys.excepthook = ending(MPI.COMM_WORLD)
        sys.exit = leaving(MPI.COMM_WORLD)
    return ranks


def ending(communicator: Any) -> Any:
    """Return the handler of a rank's uncaught errors, which ends the job."""

    def end(kind: type[BaseException], error: Any, where: TracebackType | None) -> None:
        lines = traceback.format_exception(kind, error, where)
        sys.stderr.write("".join(lines))  # in one write, so that lines don't mix
        sys.stderr.flush()
        others, began = communicator.Ibarrier(), time.monotonic()
        while not others.Test() and time.monotonic() - began < LAST_WORDS:
            time.sleep(0.01)  # so that the errors of all ranks can be read
        communicator.Abort(1)

    return end


def leaving(communicator: Any) -> Any:
    """Return a rank's `sys.exit`, which ends the job if there is a status."""

    def leave(status: Any = None) -> None:
        if status:
            if not isinstance(status, int):
                sys.stderr.write(f"{status}\n")
            sys.stderr.flush()
            communicator.Abort(status if isinstance(status, int) else 1)
        raise SystemExit(status)

    return leave


def as_bytes(a: np.ndarray) -> np.ndarray:
    """Return a contiguous array as bytes, which MPI can send for any dtype."""
    return a.reshape(-1).view(np.uint8)


def summable(name: str, dtype: np.dtype[Any]) -> None:
    """Raise TypeError for numbers that MPI cannot add."""
    if dtype.kind not in "fiuc" or dtype == np.float16:
        raise TypeError(
            f"{name}: MPI adds integers, float32, float64 and complex numbers, got "
            f"{dtype}; use x.astype(np.float32)"
        )
