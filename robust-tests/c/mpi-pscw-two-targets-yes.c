// robust: yes
// ranks: 3
// from: An epoch with two targets, which post before they do anything else
// why: Nothing comes from one target to the other before both have posted.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, memory = 0, mine = 7, token = 0, both[2] = {1, 2}, zero = 0;
    MPI_Win win;
    MPI_Group world, targets, origin;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, both, &targets);
    MPI_Group_incl(world, 1, &zero, &origin);
    if (me == 0) {
        MPI_Win_start(targets, 0, win);
        MPI_Put(&mine, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Put(&mine, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(origin, 0, win);
        if (me == 2)
            MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_wait(win);
        if (me == 1)
            MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        printf("%d\n", memory);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&targets);
    MPI_Group_free(&origin);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
