/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@33", "STORE@25"], "NPROCS": 2, "DESCRIPTION": "a region attached in the middle of the program is read by a get while its owner stores"} */
/* The store comes before the message that says that the get is over (MPI-4.1 12.2.4, 12.7). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int note = 0;
    double copy = 0.0;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    if (rank == 1) {
        MPI_Aint address;
        double *list = malloc(5 * sizeof(double));
        for (int i = 0; i < 5; i++)
            list[i] = i;
        MPI_Win_attach(win, list, 5 * sizeof(double));
        MPI_Get_address(&list[3], &address);
        MPI_Send(&address, 1, MPI_AINT, 0, 1, MPI_COMM_WORLD);
        list[3] = 0.5;
        MPI_Recv(&note, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_detach(win, list);
        free(list);
    } else {
        MPI_Aint where;
        MPI_Recv(&where, 1, MPI_AINT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Get(&copy, 1, MPI_DOUBLE, 1, where, 1, MPI_DOUBLE, win);
        MPI_Win_unlock(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        printf("copied %g\n", copy);
    }

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
