# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "a fence lies between"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
values = np.arange(500, dtype="d")
win = MPI.Win.Create(values, 8, comm=comm)
source = np.full(1, 7.0)
win.Fence()
if rank == 1:
    values *= 2.0  # store
win.Fence()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, 30)  # put
win.Fence()
print(rank, "done")
win.Free()
