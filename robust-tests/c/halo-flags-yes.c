// robust: yes
// from: Halo exchange of a one-dimensional stencil by data and flag, with a barrier between steps
// why: A halo cell is ordered before its flag, and read before the barrier after which it is written again.
#include <shmem.h>

#define N 1000
#define STEPS 2

// One halo cell on each side.
static double cells[N + 2];
static int from_left, from_right;

static void exchange(int me, int n, int step) {
    if (me + 1 < n) {
        shmem_double_put(&cells[0], &cells[N], 1, me + 1);
        shmem_fence();
        shmem_int_p(&from_left, step, me + 1);
    }
    if (me > 0) {
        shmem_double_put(&cells[N + 1], &cells[1], 1, me - 1);
        shmem_fence();
        shmem_int_p(&from_right, step, me - 1);
    }
    if (me > 0)
        shmem_int_wait_until(&from_left, SHMEM_CMP_GE, step);
    if (me + 1 < n)
        shmem_int_wait_until(&from_right, SHMEM_CMP_GE, step);
}

static void relax(void) {
    double before = cells[0];
    for (int i = 1; i <= N; i++) {
        double here = cells[i];
        cells[i] = (before + here + cells[i + 1]) / 3;
        before = here;
    }
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int step = 1; step <= STEPS; step++) {
        exchange(me, n, step);
        relax();
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}
