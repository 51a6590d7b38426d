# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "a class that keeps a window, opened by a with statement, closes the epoch before it reads its halo"}
# The same with the order that MPI asks for.
from mpi4py import MPI
import numpy as np


class Halo:
    """Cells with one more at each end, which the neighbours write."""

    def __init__(self, comm, count):
        self.comm = comm
        self.cells = np.full(count + 2, float(comm.Get_rank()))
        self.win = MPI.Win.Create(self.cells, 8, comm=comm)

    def __enter__(self):
        self.win.Fence()
        return self

    def __exit__(self, kind, value, trace):
        self.close()
        self.win.Free()

    def close(self):
        self.win.Fence()

    @property
    def left(self):
        return (self.comm.Get_rank() - 1) % self.comm.Get_size()

    def send(self):
        self.edge = self.cells[1:2].copy()
        self.win.Put([self.edge, MPI.DOUBLE], self.left, self.cells.size - 1)  # put

    def received(self):
        return float(np.add.reduce(self.cells[-1:]))  # load


with Halo(MPI.COMM_WORLD, 300) as halo:
    halo.send()
    halo.close()
    print(halo.received() >= 0.0)
