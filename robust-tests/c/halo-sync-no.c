// robust: no
// from: Halo exchange with a barrier that completes nothing
// why: shmem_sync_all does not wait for puts.
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
        shmem_sync_all();
        double sum = 0;
        for (int i = 0; i < N + 2; i++)
            sum += cells[i];
        shmem_sync_all();
        cells[1] = cells[N] = sum / N;
    }
    shmem_finalize();
    return 0;
}
