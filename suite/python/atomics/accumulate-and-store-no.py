# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "it stores to the cells after them"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
ones = np.ones(10)
win.Fence()
if rank == 0:
    win.Accumulate([ones, MPI.DOUBLE], 1, 100, op=MPI.SUM)
if rank == 1:
    mem[110:120] = 0.0
win.Fence()
print(rank, "done")
win.Free()
