// robust: no
// from: The core of Dekker's algorithm in the memory of process 0; mutual-exclusion/dekker-shmem-no.pgas
// why: A put that is still on its way is not seen by the other's get.
#include <shmem.h>

static int wants[2];
static int critical;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    (void)n;
    int other = 1 - me;
    shmem_int_p(&wants[me], 1, 0);
    if (shmem_int_g(&wants[other], 0) == 0) {
        critical = 1;
    }
    shmem_finalize();
    return 0;
}
