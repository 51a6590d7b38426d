# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the slice begins after the bytes that are read"}
# The same with the order that MPI asks for.
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
    mem[110:200] = 3.0  # store
win.Fence()
print(rank, "done")
win.Free()
