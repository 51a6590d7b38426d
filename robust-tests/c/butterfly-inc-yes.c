// robust: yes
// from: A barrier by counters, in rounds whose number is what is sent
// ranks: 3
#include <shmem.h>
static int arrived[4];
static int cell[2];
static int phase;
static void barrier(int me, int n) {
    phase++;
    shmem_quiet();
    for (int r = 0, d = 1; d < n; d *= 2, r++) {
        shmem_int_atomic_inc(&arrived[r], (me + d) % n);
        shmem_int_wait_until(&arrived[r], SHMEM_CMP_GE, phase);
    }
}
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int bad = 0;
    for (int t = 1; t <= 3; t++) {
        shmem_int_put(&cell[t % 2], &t, 1, (me + 1) % n);
        barrier(me, n);
        if (cell[t % 2] != t)
            bad = 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return bad;
}
