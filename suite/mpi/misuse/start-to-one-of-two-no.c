/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "each process starts to all its neighbours"} */
/* The groups of post and start match (MPI-4.1 12.5.2). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, count = 0, list[2], value = 1, *cells;
    MPI_Group all, around, some;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    if (rank > 0)
        list[count++] = rank - 1;
    if (rank < size - 1)
        list[count++] = rank + 1;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, count, list, &around);
    MPI_Group_incl(all, count, list, &some);

    MPI_Win_post(around, 0, win);
    MPI_Win_start(some, 0, win);
    MPI_Put(&value, 1, MPI_INT, list[0], list[0] > rank ? 0 : 1, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);

    printf("%d has %d %d\n", rank, cells[0], cells[1]);
    MPI_Group_free(&some);
    MPI_Group_free(&around);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
