# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@15", "STORE@17"], "NPROCS": 2, "DESCRIPTION": "a get and a store to a slice of the same array between two fences"}
# MPI-4.1, sections 12.3 and 12.7.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
result = np.zeros(10)
win.Fence()
if rank == 0:
    win.Get([result, MPI.DOUBLE], 1, 100)  # get
if rank == 1:
    mem[105:200] = 3.0  # store
win.Fence()
print(rank, "done")
win.Free()
