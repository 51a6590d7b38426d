/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the operand of a fetch_and_op with MPI_NO_OP is overwritten, which is allowed"} */
/* With MPI_NO_OP the origin buffer is ignored (MPI-4.1 12.3.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int step = 1, ticket = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Fetch_and_op(&step, &ticket, MPI_INT, 1, 0, MPI_NO_OP, win);
        step = 2;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", step, ticket);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
