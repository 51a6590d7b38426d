// robust: yes
// from: ghost cells by exposures of groups
// why: All loads come after MPI_Win_wait.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int left = (me + n - 1) % n, right = (me + 1) % n;
    int neighbours[2] = {left, right};
    double *mem;
    MPI_Win win;
    MPI_Group world, group;
    MPI_Win_allocate(3 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, left == right ? 1 : 2, neighbours, &group);
    double v = me;
    for (int step = 0; step < 2; step++) {
        MPI_Win_post(group, 0, win);
        MPI_Win_start(group, 0, win);
        MPI_Put(&v, 1, MPI_DOUBLE, left, 1, 1, MPI_DOUBLE, win);
        MPI_Put(&v, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        v = ((volatile double *)mem)[0] + ((volatile double *)mem)[1];
    }
    MPI_Group_free(&group);
    MPI_Win_free(&win);
    MPI_Finalize();
}
