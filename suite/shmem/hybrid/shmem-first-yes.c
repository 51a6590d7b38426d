/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "LOAD@25"], "NPROCS": 2, "DESCRIPTION": "a program that initialises OpenSHMEM first"} */
/* MPI-4.1 and OpenSHMEM 1.5, annex D. */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    shmem_init();
    int there;
    MPI_Initialized(&there);
    if (!there)
        MPI_Init(&argc, &argv);
    int me = shmem_my_pe();
    long value = 7 + me, seen = 0;
    long *x = shmem_calloc(8, sizeof(long));
    MPI_Win win;
    MPI_Win_create(x, 8 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_lock_all(0, win);
    if (me == 0)
        MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    shmem_barrier_all();
    if (me == 1)
        seen = x[0];
    shmem_barrier_all();
    MPI_Win_unlock_all(win);

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
