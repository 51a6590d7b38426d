// robust: no
// from: epochs: memory is used again when nobody reads it
// why: The pointer may be read before the epoch is announced: the writer sees no reader.
#include <shmem.h>
int epoch[2], pointer = 0, node[2];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 1) {
        shmem_int_atomic_set(&epoch[0], 1, 0);
        int at = shmem_int_atomic_fetch(&pointer, 0);
        int v = shmem_int_g(&node[at], 0);
        (void)v;
        shmem_int_atomic_set(&epoch[0], 0, 0);
        shmem_quiet();
    } else if (me == 0) {
        shmem_int_atomic_swap(&pointer, 1, 0);
        while (shmem_int_atomic_fetch(&epoch[0], 0) == 1)
            ;
        node[0] = 99;
    }
    shmem_barrier_all();
    shmem_finalize();
}
