"""Compare derivatives with references, and plant faults to test that (chapter 11)."""

from autograd_lib.check.agreement import WrongGradient
from autograd_lib.check.checks import dotcheck, gradcheck, gradgradcheck

__all__ = ["WrongGradient", "dotcheck", "gradcheck", "gradgradcheck"]
