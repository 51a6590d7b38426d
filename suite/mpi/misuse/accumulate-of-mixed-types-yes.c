/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Accumulate@26"], "NPROCS": 2, "DESCRIPTION": "an accumulate of a struct of an int and a double", "RULE": "invalid-argument"} */
/* The datatypes of an accumulate are made of one predefined datatype (MPI-4.1 12.3.4). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    struct {
        int count;
        double sum;
    } add = {1, 2.5};
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype kinds[] = {MPI_INT, MPI_DOUBLE}, both;
    MPI_Type_create_struct(2, lengths, places, kinds, &both);
    MPI_Type_commit(&both);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Accumulate(&add, 1, both, 0, 0, 1, both, MPI_SUM, win);
    MPI_Type_free(&both);
    MPI_Win_unlock(0, win);

    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
