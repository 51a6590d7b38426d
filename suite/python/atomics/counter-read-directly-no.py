# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "it is read by an atomic operation"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
one, before = np.ones(1), np.zeros(1)
win.Lock_all()
if rank == 0:
    win.Fetch_and_op([one, MPI.DOUBLE], [before, MPI.DOUBLE], 1, 0, op=MPI.SUM)
if rank == 1:
    win.Fetch_and_op([one, MPI.DOUBLE], [before, MPI.DOUBLE], 1, 0, op=MPI.NO_OP)
win.Flush(1)
win.Unlock_all()
print(rank, "done")
win.Free()
