/* Tasks are handed out by a counter that all processes increase, and each notes whose task it was; correct. */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASKS = 32 };

int main(int argc, char **argv)
{
    int me, size;
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    void **counter = malloc(size * sizeof *counter), **owner = malloc(size * sizeof *owner);
    ARMCI_Malloc(counter, sizeof(int));
    ARMCI_Malloc(owner, TASKS * sizeof(int));
    *(int *)counter[me] = 0;
    for (int i = 0; i < TASKS; i++)
        ((int *)owner[me])[i] = -1;
    ARMCI_Barrier();

    for (;;) {
        int task;
        ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &task, counter[0], 1, 0);
        if (task >= TASKS)
            break;
        ARMCI_Put(&me, (int *)owner[0] + task, sizeof(int), 0);
    }
    ARMCI_Barrier();

    int done = 0;
    if (me == 0) {
        for (int i = 0; i < TASKS; i++)
            done += ((int *)owner[0])[i] >= 0;
        printf("%d tasks\n", done);
    }
    ARMCI_Barrier();
    ARMCI_Free(owner[me]);
    ARMCI_Free(counter[me]);
    free(owner);
    free(counter);
    ARMCI_Finalize();
    MPI_Finalize();
    return me == 0 && done != TASKS;
}
