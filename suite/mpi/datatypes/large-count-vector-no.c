/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner reads the last gap of a vector made with a large count"} */
/* Made by MPI_Type_vector_c where there is one; x[99997] is odd, so it lies in a gap (MPI-4.1 5.1.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static int row[50000];
    int seen = 0;
    int *x;
    MPI_Win win;
    MPI_Win_allocate(100000 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 100000; i++)
        x[i] = rank;

    MPI_Datatype type;
#if MPI_VERSION >= 4
    MPI_Type_vector_c(50000, 1, 2, MPI_INT, &type);
#else
    MPI_Type_vector(50000, 1, 2, MPI_INT, &type);
#endif
    MPI_Type_commit(&type);

    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(row, 50000, MPI_INT, 1, 0, 1, type, win);
    } else {
        seen = x[99997];
    }
    MPI_Win_unlock_all(win);

    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d\n", seen);
    MPI_Type_free(&type);

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
