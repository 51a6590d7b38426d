// robust: no
// from: A variable that is sent twice, with two values, and decides what comes after
// why: The flag may overtake the value.
#include <shmem.h>

static int t, cell[2], x, y;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    t = 1;
    shmem_int_put(&cell[0], &t, 1, 1 - me);
    t = 2;
    shmem_int_put(&cell[1], &t, 1, 1 - me);
    if (t == 2) {
        if (me == 0) {
            shmem_int_p(&x, 1, 1);
            shmem_int_p(&y, 1, 1);
        } else {
            shmem_int_wait_until(&y, SHMEM_CMP_EQ, 1);
            return x;
        }
    }
    shmem_finalize();
    return 0;
}
