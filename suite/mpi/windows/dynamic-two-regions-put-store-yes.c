/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@26", "STORE@31"], "NPROCS": 2, "DESCRIPTION": "put into the second of two attached regions while its owner stores there"} */
/* Both regions belong to one window; the store and the put to the second lie in the same fence
   epoch (MPI-4.1 12.2.4, 12.7). */
#include <mpi.h>
#include <stdio.h>

static int left[10], right[10];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 9;
    MPI_Aint address = 0;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, left, sizeof left);
    MPI_Win_attach(win, right, sizeof right);
    MPI_Get_address(right, &address);
    MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Aint where = MPI_Aint_add(address, 4 * (MPI_Aint)sizeof(int));
        MPI_Put(&value, 1, MPI_INT, 1, where, 1, MPI_INT, win);
    }
    if (rank == 1)
        left[4] = 1; /* the other region: never touched by the put */
    if (rank == 1)
        right[4] = 2;
    MPI_Win_fence(0, win);

    printf("rank %d: %d %d\n", rank, left[4], right[4]);
    MPI_Win_detach(win, right);
    MPI_Win_detach(win, left);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
