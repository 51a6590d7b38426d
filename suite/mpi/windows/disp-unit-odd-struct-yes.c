/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@25", "STORE@29"], "NPROCS": 2, "DESCRIPTION": "disp_unit is the size of a record; puts into one field meet the owner's store there"} */
/* Displacement 2 is record 2; its first field is written by the put and by the owner in one
   epoch (MPI-4.1 12.2.1, 12.7). */
#include <mpi.h>
#include <stdio.h>

struct record {
    int key;
    double weight;
    char mark;
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct record records[4] = {{0, 0.0, 'a'}};
    int key = 77;
    MPI_Win win;
    MPI_Win_create(records, sizeof records, sizeof(struct record), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&key, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    if (rank == 1)
        records[2].weight = 0.5; /* another field of the same record: not touched by the put */
    if (rank == 1)
        records[2].key = 5;
    MPI_Win_fence(0, win);

    printf("rank %d: %d %g\n", rank, records[2].key, records[2].weight);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
