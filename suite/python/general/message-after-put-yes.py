# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@16", "LOAD@20"], "NPROCS": 2, "DESCRIPTION": "a message does not complete the put before it"}
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
win.Lock_all()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, 100)  # put
    comm.send("there", dest=1)
if rank == 1:
    comm.recv(source=0)
    total = mem[100:110].sum()  # load
win.Unlock_all()
print(rank, "done")
win.Free()
