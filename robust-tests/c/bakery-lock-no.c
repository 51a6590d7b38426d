// robust: no
// from: Lamport, A new solution of Dijkstra's concurrent programming problem, 1974
// why: choosing and number may be on their way while those of the others are read.
#include <shmem.h>
#define P 2
int choosing[P], number[P], shared;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), max = 0;
    shmem_int_atomic_set(&choosing[me], 1, 0);
    for (int j = 0; j < P; j++) {
        int v = shmem_int_atomic_fetch(&number[j], 0);
        if (v > max)
            max = v;
    }
    shmem_int_atomic_set(&number[me], max + 1, 0);
    shmem_int_atomic_set(&choosing[me], 0, 0);
    for (int j = 0; j < P; j++) {
        if (j == me)
            continue;
        while (shmem_int_atomic_fetch(&choosing[j], 0))
            ;
        int v;
        do { v = shmem_int_atomic_fetch(&number[j], 0); } while (v != 0 && (v < max + 1 || (v == max + 1 && j < me)));
    }
    int c = shmem_int_g(&shared, 0);
    shmem_int_p(&shared, c + 1, 0);
    shmem_quiet();
    shmem_int_atomic_set(&number[me], 0, 0);
    shmem_quiet();
    (void)n;
    shmem_barrier_all();
    shmem_finalize();
}
