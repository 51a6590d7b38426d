/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Get@27", "MPI_Win_detach@33"], "RULE": "unmatched-attach", "NPROCS": 2, "DESCRIPTION": "memory is detached while a get from it may be under way"} */
/* Nothing orders the detach after the get of the other process (MPI-4.1 12.2.4); the target is late here. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    long value = 0, *node = NULL;
    MPI_Aint at = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        node = malloc(8 * sizeof *node);
        node[0] = 7;
        MPI_Win_attach(win, node, 8 * sizeof *node);
        MPI_Get_address(node, &at);
    }
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Bcast(&at, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Get(&value, 1, MPI_LONG, 1, at, 1, MPI_LONG, win);
        MPI_Win_flush(1, win);
        printf("%ld\n", value);
    }
    if (rank == 1) {
        usleep(200000);
        MPI_Win_detach(win, node);
        free(node);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
