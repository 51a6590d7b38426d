/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@17", "LOAD@21"], "NPROCS": 2, "DESCRIPTION": "a message orders, and completes no put of OpenSHMEM"} */
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

    long token = 0;
    if (me == 0) {
        shmem_long_put(x, &value, 1, 1);
        MPI_Send(&token, 1, MPI_LONG, 1, 5, MPI_COMM_WORLD);
    } else if (me == 1) {
        MPI_Recv(&token, 1, MPI_LONG, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = x[0];
    }
    shmem_barrier_all();

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
