// robust: yes
// from: Processes that read their windows while these are exposed
// why: Each reads before it puts, so the two puts and the two loads make no cycle.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, memory = 0, mine = 7, other;
    MPI_Win win;
    MPI_Group world, with;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    other = 1 - me;
    MPI_Group_incl(world, 1, &other, &with);
    MPI_Win_post(with, 0, win);
    int seen = memory;
    MPI_Win_start(with, 0, win);
    MPI_Put(&mine, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    printf("%d %d\n", seen, memory);
    MPI_Group_free(&world);
    MPI_Group_free(&with);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
