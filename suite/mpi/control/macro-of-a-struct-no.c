/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a letter is complete at its origin before it is changed"} */
/* The put reads its origin buffer until it is complete at the origin (MPI-4.1 12.3.1, 12.5.4). */
#include <mpi.h>
#include <stdio.h>

struct box {
    MPI_Win window;
    int peer;
};

#define PUSH(box, letter, place) \
    MPI_Put(&(letter), 1, MPI_LONG, (box).peer, place, 1, MPI_LONG, (box).window)

int main(int argc, char **argv)
{
    int rank;
    long *letters, letter = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &letters, &win);
    struct box box = {win, 1 - rank};
    MPI_Win_lock_all(0, win);
    for (int place = 0; rank == 0 && place < 4; place++) {
        PUSH(box, letter, place); // MPI_Put
        MPI_Win_flush_local(box.peer, win);
        letter = 10 * letter + place;
    }
    MPI_Win_unlock_all(win);
    printf("%ld\n", letter);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
