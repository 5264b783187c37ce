"""One calculation by several processes: collectives, and training with them.

Processes are MPI's, started by ``mpiexec -n 2 python script.py``; each is a *rank*, and
runs the same script on its own part of the work. Without MPI there is one rank, and the
same script runs (chapter 24).
"""

from autograd_lib.parallel.checking import RanksDiffer as RanksDiffer
from autograd_lib.parallel.collectives import all_gather as all_gather
from autograd_lib.parallel.collectives import all_to_all as all_to_all
from autograd_lib.parallel.collectives import gather as gather
from autograd_lib.parallel.collectives import receive as receive
from autograd_lib.parallel.collectives import reduce_scatter as reduce_scatter
from autograd_lib.parallel.collectives import scatter as scatter
from autograd_lib.parallel.collectives import send as send
from autograd_lib.parallel.collectives import sum_of_all as sum_of_all
from autograd_lib.parallel.collectives import to_all as to_all
from autograd_lib.parallel.collectives import token as token
from autograd_lib.parallel.data_parallel import average_gradients as average_gradients
from autograd_lib.parallel.data_parallel import share as share
from autograd_lib.parallel.layers import ColumnLinear as ColumnLinear
from autograd_lib.parallel.layers import RowLinear as RowLinear
from autograd_lib.parallel.pipeline import relay as relay
from autograd_lib.parallel.ranks import Ranks as Ranks
from autograd_lib.parallel.ranks import world as world
from autograd_lib.parallel.sharded import Sharded as Sharded
