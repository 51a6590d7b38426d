/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@19", "LOAD@22"], "NPROCS": 2, "DESCRIPTION": "MPI_Win_fence completes no put of OpenSHMEM"} */
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

    MPI_Win_fence(0, win);
    if (me == 0)
        shmem_long_put(x, &value, 1, 1);
    MPI_Win_fence(0, win);
    if (me == 1)
        seen = x[0];
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
