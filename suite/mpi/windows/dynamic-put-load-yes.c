/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "LOAD@27"], "NPROCS": 2, "DESCRIPTION": "put into attached memory, read by its owner without a flush"} */
/* The barrier comes before the put is complete at the target (MPI-4.1 12.2.4, 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 3;
    int *region = malloc(32 * sizeof(int));
    MPI_Aint address, where;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, region, 32 * sizeof(int));
    MPI_Get_address(&region[20], &address);
    MPI_Sendrecv(&address, 1, MPI_AINT, 1 - rank, 0, &where, 1, MPI_AINT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, where, 1, MPI_INT, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        int seen = region[20];
        printf("rank 1 sees %d\n", seen);
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, region);
    MPI_Win_free(&win);
    free(region);
    MPI_Finalize();
    return 0;
}
