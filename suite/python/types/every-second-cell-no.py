# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the sum is over the cells between"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
second = MPI.DOUBLE.Create_vector(10, 1, 2).Commit()
source = np.full(10, 7.0)
total = 0.0
win.Fence()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, [100, 1, second])
if rank == 1:
    total = mem[101:120:2].sum()
win.Fence()
second.Free()
print(rank, "done")
win.Free()
