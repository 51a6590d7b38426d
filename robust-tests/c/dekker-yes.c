// robust: yes
// from: The same with a quiet; mutual-exclusion/dekker-shmem-yes.pgas
// why: The put is complete before the get.
#include <shmem.h>

static int wants[2];
static int critical;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    (void)n;
    int other = 1 - me;
    shmem_int_p(&wants[me], 1, 0);
    shmem_quiet();
    if (shmem_int_g(&wants[other], 0) == 0) {
        critical = 1;
    }
    shmem_finalize();
    return 0;
}
