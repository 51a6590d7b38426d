// robust: no
// from: A barrier by a counter at process 0, around the exchange of paper 003, Figure 1 (a);
//   barriers/central-fence-no.pgas
// why: A process may be counted before its put arrives.
#include <shmem.h>

static int x = 1, y;
static int arrived;

static void barrier(int n) {
    shmem_int_atomic_fetch_inc(&arrived, 0);
    while (shmem_int_atomic_fetch(&arrived, 0) != n)
        ;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_int_put(&y, &x, 1, (me + 1) % n);
    barrier(n);
    if (y != 1)
        shmem_global_exit(1);
    shmem_finalize();
    return 0;
}
