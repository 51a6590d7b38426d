/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@32", "LOAD@35"], "NPROCS": 2, "DESCRIPTION": "the owner reads the flag of a structure that a put writes", "RULE": "remote-race"} */
/* The flag at byte 8 is part of the type map (MPI-4.1 5.1.2). */
#include <mpi.h>
#include <stdio.h>

/* One cell of the field: 8 bytes of data, a flag, padding. */
struct cell {
    double value;
    char flag;
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct cell cell = {1.5, 1};
    int seen = 0;
    struct cell *x;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(struct cell), sizeof(struct cell), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 4; i++)
        x[i] = (struct cell){0.0, 0};

    MPI_Datatype type;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &type);
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&cell, 1, type, 1, 0, 1, type, win);
    } else {
        char *bytes = (char *)x;
        seen = bytes[8];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
