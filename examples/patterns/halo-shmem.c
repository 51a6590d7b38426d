/* A ring of processes exchanges the borders of their parts; a barrier completes the puts, another one protects them. */
#include <shmem.h>
#include <stdio.h>

enum { CELLS = 8, STEPS = 4 };

static double u[CELLS + 2];

int main(void)
{
    double next[CELLS + 2];

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int left = (me + n - 1) % n, right = (me + 1) % n;
    for (int i = 0; i < CELLS + 2; i++)
        u[i] = me;
    shmem_barrier_all();

    for (int step = 0; step < STEPS; step++) {
        shmem_double_put(&u[CELLS + 1], &u[1], 1, left);
        shmem_double_put(&u[0], &u[CELLS], 1, right);
#ifndef FORGET
        shmem_barrier_all();
#else
        shmem_sync_all(); /* waits for all, and completes nothing */
#endif
        for (int i = 1; i <= CELLS; i++)
            next[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        for (int i = 1; i <= CELLS; i++)
            u[i] = next[i];
        shmem_barrier_all();
    }
    printf("%d: %g\n", me, u[1]);
    shmem_finalize();
    return 0;
}
