/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@21", "STORE@12"], "NPROCS": 2, "DESCRIPTION": "nested tasks put from their own stacks and do not flush", "COMPILE": "-fopenmp", "NOT_IN_LINT": "the end of the function is told, not the next call"} */
/* What lies on the stack of a task is its own; the next task finds other variables there (OpenMP
   5.2 5.1.1). */
#include <mpi.h>
#include <stdio.h>

static MPI_Win shared_win;

/* Each call has its own source on the stack, at the same address as earlier ones. */
static void spread(int first, int count)
{
    int source = first;
    if (count > 1) {
        #pragma omp task
        spread(first, count / 2);
        #pragma omp task
        spread(first + count / 2, count - count / 2);
        #pragma omp taskwait
        return;
    }
    MPI_Put(&source, 1, MPI_INT, 1, first, 1, MPI_INT, shared_win);
}

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
    int *cells;
    MPI_Win win;
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    shared_win = win;
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel
        #pragma omp single
        {
            spread(0, 32);
        }
    }
    MPI_Win_unlock_all(win);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
