/* Accumulates to random words, completed at their origin after every BUCKET: UPDATES WORDS BUCKET [all] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int me, np, n = atoi(argv[1]), words = atoi(argv[2]), bucket = atoi(argv[3]);
    long *t, one = 1;
    unsigned s = 1;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Win_allocate(words * sizeof *t, sizeof *t, MPI_INFO_NULL, MPI_COMM_WORLD, &t, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u + me;
        MPI_Accumulate(&one, 1, MPI_LONG, (s >> 8) % np, (s >> 10) % words, 1, MPI_LONG, MPI_SUM, win);
        if (i % bucket == bucket - 1) {
            if (argc > 4)
                MPI_Win_flush_all(win);
            else
                MPI_Win_flush_local_all(win);
        }
    }
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
