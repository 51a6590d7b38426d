# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@23", "STORE@9"], "NPROCS": 2, "DESCRIPTION": "a function of another function stores to the array that is read remotely"}
# MPI-4.1, sections 12.3 and 12.7.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
def smooth(cells):
    cells[1:-1] = 0.5 * (cells[:-2] + cells[2:])  # store


def step(cells):
    smooth(cells)


win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
result = np.zeros(10)
win.Fence()
if rank == 0:
    win.Get([result, MPI.DOUBLE], 1, 100)  # get
if rank == 1:
    step(mem)
win.Fence()
print(rank, "done")
win.Free()
