/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Win_detach@21"], "NPROCS": 2, "DESCRIPTION": "MPI_Win_detach twice of the same memory", "RULE": "unmatched-attach"} */
/* The second detach finds nothing attached (MPI-4.1 12.2.4). */
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
    MPI_Win_attach(win, region, sizeof region);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_detach(win, region);
    MPI_Win_detach(win, region);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
