# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Fetch_and_op@16", "LOAD@19"], "NPROCS": 2, "DESCRIPTION": "a counter is raised by another rank and read by a load"}
# MPI-4.1, sections 12.3 and 12.7.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
one, before = np.ones(1), np.zeros(1)
seen = 0.0
win.Lock_all()
if rank == 0:
    win.Fetch_and_op([one, MPI.DOUBLE], [before, MPI.DOUBLE], 1, 0, op=MPI.SUM)  # raise
    win.Flush(1)
if rank == 1:
    seen = float(mem[0])  # load
win.Unlock_all()
print(rank, "done")
win.Free()
