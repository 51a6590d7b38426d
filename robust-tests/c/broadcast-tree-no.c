// robust: no
// from: Broadcast by a binomial tree without fences
// why: The flag may overtake the value.
// ranks: 3
#include <shmem.h>

static int value, arrived;

// Process 0 is the root; a child is its parent with one more bit.
static void broadcast(int me, int n) {
    int bit = 1;
    while (bit < n && (me & bit) == 0)
        bit *= 2;
    if (me != 0)
        shmem_int_wait_until(&arrived, SHMEM_CMP_EQ, 1);
    for (int child = 1; child < (me == 0 ? n : bit); child *= 2)
        if (me + child < n) {
            shmem_int_put(&value, &value, 1, me + child);
            shmem_int_p(&arrived, 1, me + child);
        }
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (me == 0)
        value = 5;
    broadcast(me, n);
    if (value != 5)
        shmem_global_exit(1);
    shmem_finalize();
    return 0;
}
