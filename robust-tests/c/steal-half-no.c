// robust: no
// from: work splitting: a thief takes half of the queue under a lock
// why: The lock may be given back before the head has moved.
#include <shmem.h>
long lock_;
int head, tail, items[4], mine[4];
static void acquire(int pe) {
    while (shmem_long_atomic_compare_swap(&lock_, 0, 1, pe) != 0)
        ;
}
static void release(int pe) {
    shmem_long_atomic_set(&lock_, 0, pe);
    shmem_quiet();
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        for (int i = 0; i < 4; i++) items[i] = i + 1;
        tail = 4;
    }
    shmem_barrier_all();
    if (me == 1) {
        acquire(0);
        int h = shmem_int_g(&head, 0), t = shmem_int_g(&tail, 0);
        int half = (t - h) / 2;
        shmem_int_p(&head, h + half, 0);
        for (int i = 0; i < half; i++)
            shmem_int_get_nbi(&mine[i], &items[h + i], 1, 0);
        release(0);
    } else if (me == 0) {
        acquire(0);
        int h = shmem_int_g(&head, 0);
        if (h < 4) {
            int v = shmem_int_g(&items[h], 0);
            (void)v;
            shmem_int_p(&items[h], 0, 0);
            shmem_int_p(&head, h + 1, 0);
        }
        release(0);
    }
    shmem_barrier_all();
    shmem_finalize();
}
