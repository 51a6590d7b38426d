// robust: no
// from: a chain of nodes whose head is swung by compare and swap
// why: The node is in the chain before what it holds is there.
#include <shmem.h>
int head[1], key[4], next[4];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int node = me + 1;
    shmem_int_p(&key[node], 10 + me, 0);
    for (;;) {
        int first = shmem_int_atomic_fetch(&head[0], 0);
        shmem_int_p(&next[node], first, 0);
        if (shmem_int_atomic_compare_swap(&head[0], first, node, 0) == first)
            break;
    }
    int at = shmem_int_atomic_fetch(&head[0], 0);
    while (at != 0) {
        int k = shmem_int_g(&key[at], 0);
        (void)k;
        at = shmem_int_g(&next[at], 0);
    }
    shmem_barrier_all();
    shmem_finalize();
}
