/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a broadcast from the writer orders its put before the reader's load"} */
/* The reader can not leave the broadcast before the writer, who is the root, has entered it
   (MPI-4.1 6.4, 12.7). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 4, note = rank;
    MPI_Comm copy;
    MPI_Win win;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, copy, &cells, &win);
    cells[2] = 0;
    MPI_Barrier(copy);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Bcast(&note, 1, MPI_INT, 0, copy);
    if (rank == 1)
        printf("rank 1 sees %d\n", cells[2]);
    MPI_Win_unlock_all(win);

    MPI_Win_free(&win);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
