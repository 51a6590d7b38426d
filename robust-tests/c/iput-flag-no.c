// robust: no
// from: A column by shmem_iput, then a flag
// why: Puts of a process arrive in any order.
#include <shmem.h>

static long matrix[9];
static int flag;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        long column[3] = {1, 2, 3};
        shmem_long_iput(matrix + 1, column, 3, 1, 3, 1);
        shmem_int_p(&flag, 1, 1);
    } else if (me == 1) {
        shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
        volatile long got = matrix[4];
        (void)got;
    }
    shmem_finalize();
    return 0;
}
