# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the request is waited for"}
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
win.Lock_all()
if rank == 0:
    request = win.Rput([source, MPI.DOUBLE], 1, 100)  # put
    request.Wait()
    source += 1.0  # store
win.Unlock_all()
print(rank, "done")
win.Free()
