// robust: no
// from: a wavefront: rows go from process to process
// why: The flag may come before the edge.
#include <shmem.h>
#define ROWS 3
double edge[ROWS];
int ready[ROWS];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int row = 0; row < ROWS; row++) {
        double in = 0;
        if (me > 0) {
            shmem_int_wait_until(&ready[row], SHMEM_CMP_EQ, 1);
            in = edge[row];
        }
        double out = in * 0.5 + row;
        if (me + 1 < n) {
            shmem_double_p(&edge[row], out, me + 1);
            shmem_int_p(&ready[row], 1, me + 1);
        }
    }
    shmem_barrier_all();
    shmem_finalize();
}
