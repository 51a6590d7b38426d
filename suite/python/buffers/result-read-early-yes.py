# {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@16", "LOAD@17"], "NPROCS": 2, "DESCRIPTION": "the result of a get is used before it has arrived"}
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
norm = 0.0
win.Lock_all()
if rank == 0:
    win.Get([result, MPI.DOUBLE], 1, 100)  # get
    norm = float(np.dot(result, result))  # load
    win.Flush(1)
win.Unlock_all()
print(rank, "done")
win.Free()
