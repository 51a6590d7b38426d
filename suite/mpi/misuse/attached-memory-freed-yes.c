/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Free_mem@21"], "NPROCS": 2, "DESCRIPTION": "MPI_Free_mem of attached memory", "RULE": "invalid-free"} */
/* Memory must be detached before it is freed (MPI-4.1 12.2.4). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 4096

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory;
    MPI_Win win;
    MPI_Alloc_mem(COUNT * sizeof *memory, MPI_INFO_NULL, &memory);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, COUNT * sizeof *memory);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Free_mem(memory);
    MPI_Win_free(&win);

    printf("rank %d done\n", rank);
    MPI_Finalize();
    return 0;
}
