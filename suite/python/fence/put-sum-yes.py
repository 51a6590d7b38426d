# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@15", "LOAD@18"], "NPROCS": 2, "DESCRIPTION": "a put and the sum of the target's array between two fences"}
# MPI-4.1, sections 12.3 and 12.7.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
source = np.full(10, 7.0)
win.Fence()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, 100)  # put
total = 0.0
if rank == 1:
    total = mem.sum()  # load
win.Fence()
print(rank, "done")
win.Free()
