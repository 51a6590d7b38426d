# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@17", "LOAD@19"], "NPROCS": 2, "DESCRIPTION": "a put to every second cell, and a sum over the same cells"}
# MPI-4.1, sections 12.3 and 12.7.
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
    win.Put([source, MPI.DOUBLE], 1, [100, 1, second])  # put
if rank == 1:
    total = mem[100:120:2].sum()  # load
win.Fence()
second.Free()
print(rank, "done")
win.Free()
