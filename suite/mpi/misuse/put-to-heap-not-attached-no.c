/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "a ring of puts to allocated memory that is attached to the dynamic window"} */
/* Memory of a dynamic window has to be attached before it is accessed (MPI-4.1 12.2.4). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    double *cells = calloc(8, sizeof *cells), value = rank;
    MPI_Aint mine, *all = malloc(size * sizeof *all);
    MPI_Win_attach(win, cells, 8 * sizeof *cells);
    MPI_Get_address(cells, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);

    const int next = (rank + 1) % size;
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 8; i++) {
        const MPI_Aint to = MPI_Aint_add(all[next], i * (MPI_Aint)sizeof *cells);
        MPI_Put(&value, 1, MPI_DOUBLE, next, to, 1, MPI_DOUBLE, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);

    printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    free(all);
    free(cells);
    MPI_Finalize();
    return 0;
}
