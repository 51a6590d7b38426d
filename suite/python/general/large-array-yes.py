# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@14", "LOAD@17"], "NPROCS": 2, "DESCRIPTION": "a sum over a large array, for which numpy gives up the interpreter's lock"}
# MPI-4.1, sections 12.3 and 12.7.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 6000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = 1.0
source = np.full(1, 7.0)
win.Fence()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, 5999)  # put
total = 0.0
if rank == 1:
    total = np.sqrt(mem).sum()  # load
win.Fence()
print(rank, "done")
win.Free()
