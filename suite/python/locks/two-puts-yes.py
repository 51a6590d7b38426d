# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@15", "MPI_Put@15"], "NPROCS": 3, "DESCRIPTION": "two ranks put to one cell of a third"}
# MPI-4.1, sections 12.3 and 12.7.
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
    win.Put([source, MPI.DOUBLE], 2, 100)  # put
win.Unlock(2)
print(rank, "done")
win.Free()
