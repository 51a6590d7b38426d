// robust: no
// from: A slot for blocks of 100 numbers, which are read one by one
// why: The flag may overtake the block.
#include <shmem.h>

#define N 100

static double slot[N], local[N];
static int full, taken;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    double sum = 0;
    for (int m = 1; m <= 2; m++) {
        if (me == 0) {
            for (int i = 0; i < N; i++)
                local[i] = m * 1.5 + i;
            shmem_int_wait_until(&taken, SHMEM_CMP_GE, m - 1);
            shmem_double_put(slot, local, N, n - 1);
            shmem_int_p(&full, m, n - 1);
        } else if (me == n - 1) {
            shmem_int_wait_until(&full, SHMEM_CMP_GE, m);
            for (int i = 0; i < N; i++)
                sum += slot[i];
            shmem_int_p(&taken, m, 0);
        }
    }
    shmem_finalize();
    return sum < 0;
}
