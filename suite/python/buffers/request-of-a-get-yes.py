# {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Rget@16", "LOAD@17"], "NPROCS": 2, "DESCRIPTION": "the result of a get with a request is used before the request completes"}
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
total = 0.0
win.Lock_all()
if rank == 0:
    request = win.Rget([result, MPI.DOUBLE], 1, 100)  # get
    total = result.max()  # load
    request.Wait()
win.Unlock_all()
print(rank, "done")
win.Free()
