// robust: no
// ranks: 3
// from: The same, read before the wait
// why: The puts of the neighbours may come after the loads.
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int me, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    double u[4]; MPI_Win win;
    MPI_Win_create(u, sizeof u, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Group world, nbrs;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int ranks[2], count = 0;
    if (me > 0) ranks[count++] = me - 1;
    if (me < n - 1) ranks[count++] = me + 1;
    MPI_Group_incl(world, count, ranks, &nbrs);
    for (int i = 0; i < 4; i++) u[i] = me;
    for (int t = 0; t < 2; t++) {
        MPI_Win_post(nbrs, 0, win);
        MPI_Win_start(nbrs, 0, win);
        if (me > 0) MPI_Put(&u[1], 1, MPI_DOUBLE, me - 1, 3, 1, MPI_DOUBLE, win);
        if (me < n - 1) MPI_Put(&u[2], 1, MPI_DOUBLE, me + 1, 0, 1, MPI_DOUBLE, win);
        MPI_Win_complete(win);
        double a = u[0] + u[3];
        MPI_Win_wait(win);
        u[1] += a; u[2] -= a;
    }
    printf("%f\n", u[1]);
    MPI_Group_free(&nbrs); MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
