# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@15", "STORE@17"], "NPROCS": 2, "DESCRIPTION": "the target stores to cells that another rank accumulates to"}
# MPI-4.1, sections 12.3 and 12.7.
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
    win.Accumulate([ones, MPI.DOUBLE], 1, 100, op=MPI.SUM)  # add
if rank == 1:
    mem[109:120] = 0.0  # store
win.Fence()
print(rank, "done")
win.Free()
