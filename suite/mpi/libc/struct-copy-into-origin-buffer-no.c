/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a record is assigned to the buffer of a put that is complete"} */
/* The unlock completes the put (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <stdio.h>

struct record {
    char name[40];
    int count;
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *bytes;
    struct record buffer = {"first", 1}, next = {"second", 2};
    MPI_Win win;
    MPI_Win_allocate(sizeof(struct record), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &bytes, &win);
    next.count += rank;

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&buffer, sizeof buffer, MPI_BYTE, 1, 0, sizeof buffer, MPI_BYTE, win);
        MPI_Win_unlock(1, win);
        buffer = next;
    }

    printf("rank %d: %s\n", rank, buffer.name);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
