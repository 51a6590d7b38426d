# {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@20", "LOAD@31"], "NPROCS": 2, "DESCRIPTION": "a thread of a pool puts, and the barrier does not wait for it"}
# MPI-4.1, sections 11.6, 12.5.3 and 12.7.
import time
from concurrent.futures import ThreadPoolExecutor
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
source = np.full(10, 7.0)


def send():
    time.sleep(0.5)  # others are in their calls by then: the interpreter's lock orders what came before
    win.Lock(1, MPI.LOCK_SHARED)
    win.Put([source, MPI.DOUBLE], 1, 100)  # put
    win.Unlock(1)


if rank == 0:
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(send)
        comm.Barrier()
        sent.result()
else:
    comm.Barrier()
    print(np.add.reduce(mem[100:110]) >= 0.0)  # load
comm.Barrier()
win.Free()
