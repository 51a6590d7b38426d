# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "a flush completes it before the message"}
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
win.Lock_all()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, 100)
    win.Flush(1)
    comm.send("there", dest=1)
if rank == 1:
    comm.recv(source=0)
    win.Sync()
    total = mem[100:110].sum()
win.Unlock_all()
print(rank, "done")
win.Free()
