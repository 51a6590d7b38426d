/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Accumulate@28"], "NPROCS": 2, "DESCRIPTION": "an accumulate with an operator of the program's own", "RULE": "invalid-argument"} */
/* Only predefined operators are allowed in accumulates (MPI-4.1 12.3.4). */
#include <mpi.h>
#include <stdio.h>

static void larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int value = rank + 1, *x;
    MPI_Win win;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);

    MPI_Op operator;
    MPI_Op_create(larger, 1, &operator);
    x[0] = 0;
    MPI_Win_fence(0, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, operator, win);
    MPI_Win_fence(0, win);
    MPI_Op_free(&operator);

    MPI_Win_free(&win);
    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
