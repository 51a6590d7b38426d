# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@16", "LOAD@18"], "NPROCS": 2, "DESCRIPTION": "an array attached to a dynamic window is read while another rank puts"}
# MPI-4.1, sections 12.3 and 12.7.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
values = np.arange(100, dtype="d")
win = MPI.Win.Create_dynamic(comm=comm)
win.Attach(values)
addresses = comm.allgather(MPI.Get_address(values))
source = np.full(1, 7.0)
total = 0.0
win.Fence()
if rank == 0:
    win.Put([source, MPI.DOUBLE], 1, addresses[1] + 8 * 30)  # put
if rank == 1:
    total = values.sum()  # load
win.Fence()
win.Detach(values)
print(rank, "done")
win.Free()
