/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner reads between the blocks of an hindexed type made with large counts"} */
/* The blocks cover x[0], x[4], x[5] and x[9] (MPI-4.1 5.1.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int row[4] = {7, 7, 7, 7};
    int seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(10 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 10; i++)
        x[i] = rank;

    MPI_Datatype type;
#if MPI_VERSION >= 4
    MPI_Count lengths[3] = {1, 2, 1};
    MPI_Count starts[3] = {0, 4 * sizeof(int), 9 * sizeof(int)};
    MPI_Type_create_hindexed_c(3, lengths, starts, MPI_INT, &type);
#else
    int lengths[3] = {1, 2, 1};
    MPI_Aint starts[3] = {0, 4 * sizeof(int), 9 * sizeof(int)};
    MPI_Type_create_hindexed(3, lengths, starts, MPI_INT, &type);
#endif
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 4, MPI_INT, 1, 0, 1, type, win);
    } else {
        seen = x[6];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
