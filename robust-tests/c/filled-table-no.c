// robust: no
// from: A table that is filled with -1 and sent, and decides what comes after
// why: The flag may overtake the value.
#include <shmem.h>
#include <string.h>
static int table[4], got[4], x, y;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    memset(table, -1, sizeof table);
    if (me < 2)
        shmem_int_put(got, table, 4, (me + 1) % 2);
    if (table[1] == -1) {
        if (me == 0) {
            shmem_int_p(&x, 1, 1);
            shmem_int_p(&y, 1, 1);
        } else if (me == 1) {
            shmem_int_wait_until(&y, SHMEM_CMP_EQ, 1);
            return x;
        }
    }
    shmem_finalize();
    return 0;
}
