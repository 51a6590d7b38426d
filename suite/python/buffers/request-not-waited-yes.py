# {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Rput@15", "STORE@16"], "NPROCS": 2, "DESCRIPTION": "the origin of a put with a request is changed before the request completes"}
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
    request = win.Rput([source, MPI.DOUBLE], 1, 100)  # put
    source += 1.0  # store
    request.Wait()
win.Unlock_all()
print(rank, "done")
win.Free()
