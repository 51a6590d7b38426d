/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "halo cells written directly into both neighbours' separate segments, read after a fence"} */
/* The fence orders all processes of the window (MPI-4.1 12.2.3, 12.5.1). */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 6 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *mine, *theirs;
    MPI_Aint size;
    int unit;
    MPI_Info info;
    MPI_Win win;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    MPI_Win_allocate_shared(CELLS * sizeof(double), sizeof(double), info, MPI_COMM_WORLD, &mine, &win);
    MPI_Info_free(&info);
    MPI_Win_shared_query(win, 1 - rank, &size, &unit, &theirs);
    for (int i = 0; i < CELLS; i++)
        mine[i] = rank;

    MPI_Win_fence(0, win);
    theirs[CELLS - 1] = 10.0 + rank;
    MPI_Win_fence(0, win);
    double ghost = mine[CELLS - 1];
    MPI_Win_fence(0, win);

    printf("rank %d: ghost %g\n", rank, ghost);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
