# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "it reads after the wait"}
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
total = 0.0
everyone = comm.Get_group()
if rank == 0:
    win.Start(everyone.Incl([1]))
    win.Put([source, MPI.DOUBLE], 1, 100)  # put
    win.Complete()
else:
    win.Post(everyone.Incl([0]))
    win.Wait()
    total = mem[100:].sum()  # load
print(rank, "done")
win.Free()
