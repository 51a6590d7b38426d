// robust: no
// from: Dissemination barrier without waits
// why: A flag may overtake the put that it says is there.
// ranks: 3
#include <shmem.h>

static int x = 1, y;
static int seen[8];

static void barrier(int me, int n) {
    for (int round = 0, distance = 1; distance < n; round++, distance *= 2) {
        shmem_int_p(&seen[round], 1, (me + distance) % n);
        shmem_int_wait_until(&seen[round], SHMEM_CMP_EQ, 1);
    }
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_int_put(&y, &x, 1, (me + n - 1) % n);
    barrier(me, n);
    if (y != 1)
        shmem_global_exit(1);
    shmem_finalize();
    return 0;
}
