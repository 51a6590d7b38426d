/* {"RACE_KIND": "remote", "RACE_PAIR": ["STORE@35", "STORE@35"], "NPROCS": 2, "NOT_IN_GUARD": "an atomic store or load is a plain instruction", "DESCRIPTION": "a counter in a shared window is raised outside of its spin lock"} */
/* The counter is raised after the lock was given back (C17 5.1.2.4; MPI-4.1 12.2.3). */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>

struct counter {
    atomic_flag lock;
    long value;
};

int main(int argc, char **argv)
{
    int rank, unit;
    MPI_Aint bytes;
    MPI_Win win;
    struct counter *counter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *counter : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &counter);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        atomic_flag_clear(&counter->lock);
        counter->value = 0;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);

    for (int round = 0; round < 3; round++) {
        while (atomic_flag_test_and_set(&counter->lock))
            ;
        atomic_flag_clear(&counter->lock);
        counter->value++;
    }

    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0)
        printf("%ld\n", counter->value);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
