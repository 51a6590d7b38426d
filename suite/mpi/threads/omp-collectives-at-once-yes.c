/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Allreduce@32", "MPI_Allreduce@32"], "NPROCS": 2, "DESCRIPTION": "two threads reduce on one communicator at the same time", "COMPILE": "-fopenmp", "RULE": "collective-mismatch"} */
/* The same communicator must not be used by two collective calls of a process at the same time (MPI-4.1 6.14). Rank 1
   is late, so that both threads of rank 0 wait. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        printf("this MPI library does not provide MPI_THREAD_MULTIPLE\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm comms[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    int sums[2] = {0, 0};

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        usleep(200000);
    #pragma omp parallel num_threads(2)
    {
        int thread = omp_get_thread_num();
        int given = rank + 1;
        int sum = 0;
        MPI_Allreduce(&given, &sum, 1, MPI_INT, MPI_SUM, comms[0]);
        sums[thread] = sum;
    }

    printf("rank %d: %d %d\n", rank, sums[0], sums[1]);

    int *base;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}
