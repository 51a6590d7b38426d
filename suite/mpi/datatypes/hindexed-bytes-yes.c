/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@26", "LOAD@28"], "NPROCS": 2, "DESCRIPTION": "the owner reads a byte of an hindexed block", "RULE": "remote-race"} */
/* The blocks are bytes 3..4 and 9..10 (MPI-4.1 5.1.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char row[4] = {1, 2, 3, 4};
    int seen = 0;
    char *x;
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(char), sizeof(char), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 16; i++)
        x[i] = rank;

    MPI_Datatype type;
    MPI_Type_create_hindexed(2, (int[]){2, 2}, (MPI_Aint[]){3, 9}, MPI_CHAR, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 4, MPI_CHAR, 1, 0, 1, type, win);
    } else {
        seen = x[4];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
