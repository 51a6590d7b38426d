# {"RACE_KIND": "none", "NPROCS": 3, "DESCRIPTION": "they accumulate instead"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
source = np.full(1, float(rank))
win.Lock(2, MPI.LOCK_SHARED)
if rank < 2:
    win.Accumulate([source, MPI.DOUBLE], 2, 100, op=MPI.SUM)  # put
win.Unlock(2)
print(rank, "done")
win.Free()
