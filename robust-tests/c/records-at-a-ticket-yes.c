// robust: yes
// from: A mailbox of records at a slot that a ticket gives
#include <shmem.h>
static struct record {
    int kind;
    double value[2];
} box[4];
static int next, ready[4];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    struct record r = {1, {0.5, me}};
    int slot = shmem_int_atomic_fetch_inc(&next, 0);
    shmem_putmem(&box[slot], &r, sizeof r, 0);
    shmem_fence();
    shmem_int_p(&ready[slot], 1, 0);
    double sum = 0;
    if (me == 0)
        for (int i = 0; i < n; i++) {
            shmem_int_wait_until(&ready[i], SHMEM_CMP_EQ, 1);
            if (box[i].kind == 1)
                sum += box[i].value[0] + box[i].value[1];
        }
    shmem_finalize();
    return sum < 0;
}
