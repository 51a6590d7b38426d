/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "TIME_LIMIT": 10, "DESCRIPTION": "the store exposes its cells to the writer"} */
/* The groups of post and start match (MPI-4.1 12.5.2). */
#include <mpi.h>
#include <stdio.h>

enum { WRITER, READER, STORE };

int main(int argc, char **argv)
{
    int rank, *cells, value = 3;
    MPI_Group all, writers, readers, store;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){0}, &writers);
    MPI_Group_incl(all, 1, (int[]){1}, &readers);
    MPI_Group_incl(all, 1, (int[]){2}, &store);

    switch (rank) {
    case WRITER:
        MPI_Win_start(store, 0, win);
        MPI_Put(&value, 1, MPI_INT, STORE, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        break;
    case STORE:
        MPI_Win_post(writers, 0, win);
        MPI_Win_wait(win);
        break;
    default:
        break;
    }

    printf("rank %d done\n", rank);
    MPI_Group_free(&store);
    MPI_Group_free(&readers);
    MPI_Group_free(&writers);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
