/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Accumulate@25", "LOAD@30"], "NPROCS": 2, "DESCRIPTION": "accumulate into a static local array while its owner loads from it"} */
/* The load is made before the lock's epoch of the origin is known to be over: an accumulate
   conflicts with a load (MPI-4.1 12.7). */
#include <mpi.h>
#include <stdio.h>

static int *counters(void)
{
    static int values[4];
    return values;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, note = 0;
    int *mine = counters();
    MPI_Win win;
    MPI_Win_create(mine, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 3, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_unlock(1, win);
        MPI_Send(&note, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int seen;
        seen = mine[3];
        MPI_Recv(&note, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("counter %d\n", seen);
    }

    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
