/* {"RACE_KIND": "remote", "RACE_PAIR": ["STORE@21", "LOAD@26"], "FURTHER_PAIRS": [["LOAD@26", "STORE@27"]], "NPROCS": 2, "DESCRIPTION": "processes of a node share an array: no barrier between the stores and the loads of neighbours"} */
/* Processes of a node share an array: each works on its own part and reads its neighbours' by loads. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int me, np, n = argc > 1 ? atoi(argv[1]) : 32, steps = 6;
    MPI_Comm_rank(node, &me);
    MPI_Comm_size(node, &np);
    double *mine, *left = NULL, *right = NULL;
    MPI_Win win;
    MPI_Win_allocate_shared(2 * n * sizeof(double), sizeof(double), MPI_INFO_NULL, node, &mine, &win);
    MPI_Aint size;
    int unit;
    if (me > 0) MPI_Win_shared_query(win, me - 1, &size, &unit, &left);
    if (me < np - 1) MPI_Win_shared_query(win, me + 1, &size, &unit, &right);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int i = 0; i < n; i++) mine[i] = me * n + i;
    for (int s = 0; s < steps; s++) {
        double *u = mine + (s % 2) * n, *v = mine + (1 - s % 2) * n;
        MPI_Win_sync(win);
        MPI_Win_sync(win);
        double l = left ? left[(s % 2) * n + n - 1] : 0, r = right ? right[(s % 2) * n] : 0;
        for (int i = 0; i < n; i++) v[i] = 0.5 * u[i] + 0.25 * ((i ? u[i - 1] : l) + (i < n - 1 ? u[i + 1] : r));
    }
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_unlock_all(win);
    double sum = 0, all;
    for (int i = 0; i < n; i++) sum += mine[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, node);
    if (me == 0) printf("sum %g\n", all);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
    MPI_Finalize();
}
