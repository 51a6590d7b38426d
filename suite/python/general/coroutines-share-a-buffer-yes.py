# {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@18", "STORE@17"], "NPROCS": 2, "DESCRIPTION": "two coroutines put from one array, and the second fills it while the first waits"}
# MPI-4.1, section 12.3.
import asyncio
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
win = MPI.Win.Allocate(8 * 1000, 8, comm=comm)
mem = np.frombuffer(win.tomemory(), dtype="d")
mem[:] = rank
comm.Barrier()
source = np.zeros(10)


async def send(number):
    np.multiply(source, 0.5, out=source)  # store
    win.Put([source, MPI.DOUBLE], 1, 100 * number)  # put
    await asyncio.sleep(0)


async def both():
    win.Lock(1, MPI.LOCK_SHARED)
    await asyncio.gather(send(0), send(1))
    win.Unlock(1)


if rank == 0:
    asyncio.run(both())
comm.Barrier()
print(rank, "done")
win.Free()
