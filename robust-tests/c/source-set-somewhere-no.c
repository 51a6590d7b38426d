// robust: no
// from: A variable that is sent, and set at a place that only a run knows, decides what comes after
// why: The flag may overtake the value.
#include <shmem.h>

static struct {
    int sent[2], got;
} s;
static int x, y, z;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int place = shmem_int_atomic_fetch(&z, me);
    int *all = (int *)&s;
    s.sent[0] = 1;
    shmem_int_put(&s.got, s.sent, 1, 1 - me);
    all[place] = 2;
    if (s.sent[0] == 2) {
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
