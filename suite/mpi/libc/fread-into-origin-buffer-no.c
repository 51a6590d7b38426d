/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "fread fills the buffer of a put that is complete"} */
/* The flush completes the put locally (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, block[16] = {0};
    FILE *file = fopen("/dev/zero", "r");
    MPI_Win win;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);

    MPI_Win_lock_all(0, win);
    if (rank == 0 && file) {
        size_t got;
        MPI_Put(block, 16, MPI_INT, 1, 0, 16, MPI_INT, win);
        MPI_Win_flush_local(1, win);
        got = fread(block, sizeof(int), 16, file);
        printf("read %zu\n", got);
    }
    MPI_Win_unlock_all(win);

    if (file)
        fclose(file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
