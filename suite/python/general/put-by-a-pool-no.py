# {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "a thread of a pool puts, and its result is taken before the barrier"}
# The same with the order that MPI asks for.
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
        sent.result()
        comm.Barrier()
else:
    comm.Barrier()
    print(np.add.reduce(mem[100:110]) >= 0.0)  # load
comm.Barrier()
win.Free()
