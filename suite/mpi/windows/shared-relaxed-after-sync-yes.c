/* {"RACE_KIND": "remote", "RACE_PAIR": ["STORE@30", "LOAD@35"], "NPROCS": 2, "NOT_IN_GUARD": "an atomic store or load is a plain instruction", "DESCRIPTION": "a value and a relaxed flag are stored to a shared window after MPI_Win_sync"} */
/* A fence releases what its thread did before it, and not what came after it (MPI-4.1 12.5.4; C17 7.17.4). */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>

struct box {
    atomic_int full;
    double value;
};

int main(int argc, char **argv)
{
    int rank, unit;
    MPI_Aint bytes;
    MPI_Win win;
    struct box *box;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *box : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &box);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        atomic_init(&box->full, 0);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);

    if (rank == 0) {
        box->value = 42.0;
        atomic_store_explicit(&box->full, 1, memory_order_relaxed);
    } else if (rank == 1) {
        while (atomic_load_explicit(&box->full, memory_order_acquire) == 0)
            ;
        printf("%g\n", box->value);
    }

    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
