# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@17", "LOAD@21"], "NPROCS": 2, "DESCRIPTION": "the target reads before it has waited for the end of the exposure"}
# MPI-4.1, sections 12.3 and 12.7.
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
    total = mem[100:].sum()  # load
    win.Wait()
print(rank, "done")
win.Free()
