# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@13", "STORE@15"], "NPROCS": 2, "DESCRIPTION": "a window over a numpy array that its owner scales while another rank puts"}
# MPI-4.1, sections 12.3 and 12.7.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
values = np.arange(500, dtype="d")
win = MPI.Win.Create(values, 8, comm=comm)
source = np.full(1, 7.0)
win.Fence()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, 30)  # put
if rank == 1:
    values *= 2.0  # store
win.Fence()
print(rank, "done")
win.Free()
