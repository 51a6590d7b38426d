# {"RACE_KIND": "none", "NPROCS": 3, "DESCRIPTION": "a fence lies between"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
cells = np.zeros(10)
win.Fence()
if rank == 0:
    win.Get([cells, MPI.DOUBLE], 2, 100)
win.Fence()
if rank == 1:
    win.Put([cells, MPI.DOUBLE], 2, 105)
win.Fence()
print(rank, "done")
win.Free()
