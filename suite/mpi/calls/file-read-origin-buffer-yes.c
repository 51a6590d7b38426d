/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@25", "MPI_File_read_at@26"], "NPROCS": 2, "DESCRIPTION": "a file is read into a buffer that is being put"} */
/* MPI_File_read_at stores into the buffer, which the put may still read (MPI-4.1 14.4, 12.3). */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[4] = {1, 2, 3, 4}, buffer[4] = {0, 0, 0, 0};
    char name[64];
    snprintf(name, sizeof name, "/tmp/farside-suite-%d-%d", (int)getpid(), rank);
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    int *x;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    for (int i = 0; i < 4; i++)
        x[i] = 0;

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_File_read_at(file, 0, buffer, 4, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_Win_fence(0, win);

    printf("%d %d %d\n", numbers[0], buffer[0], x[0]);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
