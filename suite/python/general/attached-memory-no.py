# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "a fence lies between"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
values = np.arange(100, dtype="d")
win = MPI.Win.Create_dynamic(comm=comm)
win.Attach(values)
addresses = comm.allgather(MPI.Get_address(values))
source = np.full(1, 7.0)
total = 0.0
win.Fence()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, addresses[1] + 8 * 30)
win.Fence()
if rank == 1:
    total = values.sum()
win.Fence()
win.Detach(values)
print(rank, "done")
win.Free()
