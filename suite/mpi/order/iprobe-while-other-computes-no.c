/* {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "one rank asks for a message again and again while the other one computes for long"} */
/* However long the loop takes, what follows it comes after the message (MPI-4.1 3.8.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value = 7, seen = 0, note = 0, there = 0;
    int *x;
    double sum = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    x[0] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < 60000; i++)
            sum += i * 0.5;
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        while (!there)
            MPI_Iprobe(0, 5, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        MPI_Recv(&note, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = x[0];
    }
    MPI_Win_unlock_all(win);
    printf("%d %f\n", seen, sum);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
