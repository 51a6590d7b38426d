/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Put@36", "MPI_Win_attach@28"], "NPROCS": 2, "DESCRIPTION": "memory is attached after the post, which an operation of the epoch need not wait for", "RULE": "unmatched-attach"} */
/* An operation takes effect after the post that its start meets (MPI-4.1 12.5.2), so that memory may be attached until
 * then; the origin is late, so that it is attached here. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int cells[16];

int main(int argc, char **argv)
{
    int rank, partner;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Aint where = 0;
    MPI_Group all, other;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    partner = 1 - rank;
    MPI_Group_incl(all, 1, &partner, &other);
    if (rank == 1)
        MPI_Get_address(cells, &where);
    MPI_Bcast(&where, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_post(other, 0, win);
        MPI_Win_attach(win, cells, sizeof cells);
        MPI_Win_wait(win);
        printf("%d\n", cells[2] < 0);
        MPI_Win_detach(win, cells);
    } else {
        int value = 5;
        usleep(50000);
        MPI_Win_start(other, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, MPI_Aint_add(where, 8), 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
