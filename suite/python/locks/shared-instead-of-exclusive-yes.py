# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@15", "MPI_Put@18"], "NPROCS": 3, "DESCRIPTION": "two ranks read, change and write a cell under shared locks"}
# MPI-4.1, sections 12.3 and 12.7.
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
    win.Lock(2, MPI.LOCK_SHARED)
    win.Get([cell, MPI.DOUBLE], 2, 7)  # get
    win.Flush(2)
    cell[0] += 1.0
    win.Put([cell, MPI.DOUBLE], 2, 7)  # put
    win.Unlock(2)
comm.Barrier()
print(rank, "done")
win.Free()
