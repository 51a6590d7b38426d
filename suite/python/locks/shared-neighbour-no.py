# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "sync and barrier lie between"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate_shared(8 * 100, 8, comm=comm)
mine = np.frombuffer(win.Shared_query(rank)[0], dtype="d")
theirs = np.frombuffer(win.Shared_query(1 - rank)[0], dtype="d")
mine[:] = 0.0
comm.Barrier()
win.Lock_all()
total = 0.0
if rank == 0:
    mine[:50] = 1.0  # store
win.Sync()
comm.Barrier()
win.Sync()
if rank == 1:
    total = theirs[40:].sum()  # load
win.Unlock_all()
print(rank, "done")
win.Free()
