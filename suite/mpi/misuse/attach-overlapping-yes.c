/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_attach@18"], "NPROCS": 2, "DESCRIPTION": "two attached regions of one dynamic window overlap", "RULE": "unmatched-attach"} */
/* Regions attached to one window must not overlap (MPI-4.1 12.2.4). */
#include <mpi.h>
#include <stdio.h>

static int region[64];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Win_attach(win, region, 32 * sizeof(int));
    MPI_Win_attach(win, region + 16, 32 * sizeof(int));
    MPI_Barrier(MPI_COMM_WORLD);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
