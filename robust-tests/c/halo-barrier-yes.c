// robust: yes
// from: Halo exchange of a one-dimensional stencil by put, between barriers
// why: All puts are complete before a halo is read, and all halos are read before the next puts.
#include <shmem.h>

#define N 64
#define STEPS 3

static double cells[N + 2];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int step = 0; step < STEPS; step++) {
        shmem_double_put(&cells[0], &cells[N], 1, (me + 1) % n);
        shmem_double_put(&cells[N + 1], &cells[1], 1, (me + n - 1) % n);
        shmem_barrier_all();
        double sum = 0;
        for (int i = 0; i < N + 2; i++)
            sum += cells[i];
        shmem_barrier_all();
        cells[1] = cells[N] = sum / N;
    }
    shmem_finalize();
    return 0;
}
