/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@30", "STORE@35"], "NPROCS": 2, "DESCRIPTION": "put and store are protected by two different OpenMP locks", "COMPILE": "-fopenmp"} */
/* Two locks do not order what they protect (OpenMP 5.1 3.9, MPI-4.1 12.3). */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

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
    int *cells, value = 1;
    omp_lock_t first, second;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    omp_init_lock(&first);
    omp_init_lock(&second);

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        #pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0) {
                omp_set_lock(&first);
                MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
                MPI_Win_flush(1, win);
                omp_unset_lock(&first);
            } else {
                omp_set_lock(&second);
                value = 2;
                omp_unset_lock(&second);
            }
        }
    }
    MPI_Win_unlock_all(win);

    omp_destroy_lock(&second);
    omp_destroy_lock(&first);
    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
