/* {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the clean twin: windows in a linked list"} */
/* Each element of the list has a window of its own (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct part {
    MPI_Win win;
    int *cells;
    struct part *next;
};

int main(int argc, char **argv)
{
    int rank, value = 7, seen = 0;
    struct part *first = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        struct part *p = malloc(sizeof *p);
        MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &p->cells, &p->win);
        *p->cells = 0;
        p->next = first;
        first = p;
    }
    for (struct part *p = first; p; p = p->next)
        MPI_Win_fence(0, p->win);
    if (rank == 0)
        for (struct part *p = first; p; p = p->next)
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, p->win);
    for (struct part *p = first; p; p = p->next)
        MPI_Win_fence(0, p->win);
    for (struct part *p = first; p; p = p->next)
        seen += *p->cells;
    printf("%d\n", seen);
    while (first) {
        struct part *p = first;
        first = p->next;
        MPI_Win_free(&p->win);
        free(p);
    }
    MPI_Finalize();
    return 0;
}
