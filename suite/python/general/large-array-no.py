# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "it leaves the last cell out"}
# The same with the order that MPI asks for.
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
    total = np.sqrt(mem[:5999]).sum()  # load
win.Fence()
print(rank, "done")
win.Free()
