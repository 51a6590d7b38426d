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
result = np.zeros(10)
total = 0.0
win.Lock_all()
if rank == 0:
    request = win.Rget([result, MPI.DOUBLE], 1, 100)
    request.Wait()
    total = result.max()
win.Unlock_all()
print(rank, "done")
win.Free()
