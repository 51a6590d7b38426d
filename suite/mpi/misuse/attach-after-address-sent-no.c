/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "memory is attached before its address is sent"} */
/* Memory is attached before it is accessed (MPI-4.1 12.2.4); the origin is late, so that it may be so here. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int cells[16];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Aint where = 0;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank == 1) {
        MPI_Get_address(cells, &where);
        MPI_Win_attach(win, cells, sizeof cells);
        MPI_Send(&where, 1, MPI_AINT, 0, 3, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        int value = 5;
        MPI_Recv(&where, 1, MPI_AINT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(50000);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, MPI_Aint_add(where, 8), 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d done\n", rank);
    if (rank == 1)
        MPI_Win_detach(win, cells);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
