"""Memory for time: checkpoints, and hooks on saved tensors (chapter 21)."""

from autograd_lib.checkpointing.checkpoint import checkpoint as checkpoint
from autograd_lib.checkpointing.saved_tensors import (
    saved_tensors_hooks as saved_tensors_hooks,
)
from autograd_lib.checkpointing.schedules import (
    checkpoint_binomial as checkpoint_binomial,
)
from autograd_lib.checkpointing.schedules import checkpoint_halves as checkpoint_halves
from autograd_lib.checkpointing.schedules import (
    checkpoint_sequential as checkpoint_sequential,
)
from autograd_lib.checkpointing.schedules import evaluations as evaluations
