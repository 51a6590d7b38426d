/* A token goes round: each process puts it into the memory of the next one, who has exposed it by post. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, *token;
    MPI_Win win;
    MPI_Group world, before, after;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &left, &before);
    MPI_Group_incl(world, 1, &right, &after);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &token, &win);
    *token = 0;

    int mine = rank;
    if (rank != 0) {
        MPI_Win_post(before, 0, win);
#ifndef FORGET
        MPI_Win_wait(win);
#endif
        mine += *token;
    }
    if (rank != size - 1) {
        MPI_Win_start(after, 0, win);
        MPI_Put(&mine, 1, MPI_INT, right, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
#ifdef FORGET
    if (rank != 0)
        MPI_Win_wait(win);
#endif
    printf("%d: %d\n", rank, mine);
    MPI_Group_free(&before);
    MPI_Group_free(&after);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
