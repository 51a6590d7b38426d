/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@19", "shmem_atomic_add@21"], "NPROCS": 2, "DESCRIPTION": "atomic operations of MPI and of OpenSHMEM are not atomic to each other"} */
/* MPI-4.1 and OpenSHMEM 1.5, annex D. */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    shmem_init();
    int me = shmem_my_pe();
    long value = 7 + me, seen = 0;
    long *x = shmem_calloc(8, sizeof(long));
    MPI_Win win;
    MPI_Win_create(x, 8 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_lock_all(0, win);
    if (me == 0)
        MPI_Accumulate(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, win);
    else
        shmem_long_atomic_add(x, 1, 1);
    MPI_Win_unlock_all(win);
    shmem_barrier_all();

    MPI_Win_free(&win);
    shmem_barrier_all();
    printf("%d %ld\n", me, seen);
    shmem_free(x);
    shmem_finalize();
    int over;
    MPI_Finalized(&over);
    if (!over)
        MPI_Finalize();
    return 0;
}
