# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@15", "MPI_Put@17"], "NPROCS": 3, "DESCRIPTION": "one rank gets what another one puts"}
# MPI-4.1, sections 12.3 and 12.7.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
cells = np.zeros(10)
win.Fence()
if rank == 0:
    win.Get([cells, MPI.DOUBLE], 2, 100)  # get
if rank == 1:
    win.Put([cells, MPI.DOUBLE], 2, 105)  # put
win.Fence()
print(rank, "done")
win.Free()
