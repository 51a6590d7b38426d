# {"RACE_KIND": "none", "NPROCS": 3, "DESCRIPTION": "the locks are exclusive"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
cell = np.zeros(1)
if rank < 2:
    win.Lock(2, MPI.LOCK_EXCLUSIVE)
    win.Get([cell, MPI.DOUBLE], 2, 7)
    win.Flush(2)
    cell[0] += 1.0
    win.Put([cell, MPI.DOUBLE], 2, 7)
    win.Unlock(2)
comm.Barrier()
print(rank, "done")
win.Free()
