# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the sum is taken after the fence"}
# The same with the order that MPI asks for.
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
win.Fence()
total = 0.0
if rank == 1:
    total = mem.sum()  # load
win.Fence()
print(rank, "done")
win.Free()
