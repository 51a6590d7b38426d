/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner writes its window to a file after the put's epoch"} */
/* The fence completes the put (MPI-4.1 12.5.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 3;
    FILE *file = tmpfile();
    MPI_Win win;
    MPI_Win_allocate(50 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    for (int i = 0; i < 50; i++)
        cells[i] = i;

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 10, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1 && file)
        fwrite(cells, sizeof(int), 50, file);
    MPI_Win_fence(0, win);

    if (file)
        fclose(file);
    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
