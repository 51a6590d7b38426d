/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Fetch_and_op@22", "LOAD@23"], "NPROCS": 2, "DESCRIPTION": "the result of a fetch_and_op is used before it is there", "RULE": "local-race"} */
/* The result may be written until the call is complete at the origin (MPI-4.1 12.3.4, 12.5.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, ticket = 0, seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 8; i++)
        x[i] = rank;

    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 1, 0, MPI_SUM, win);
        seen = ticket;
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", seen);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
