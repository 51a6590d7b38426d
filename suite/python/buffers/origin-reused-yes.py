# {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@15", "STORE@16"], "NPROCS": 2, "DESCRIPTION": "the origin array is changed before the put is complete"}
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
win.Lock_all()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, 100)  # put
    source[3] = 8.0  # store
    win.Flush(1)
win.Unlock_all()
print(rank, "done")
win.Free()
