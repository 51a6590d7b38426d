// robust: yes
// from: a reduction with a signal for each part
// why: A signal comes after its data.
#include <shmem.h>
#include <stdint.h>
double part[4], own = 1.0;
uint64_t sig;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    own = me;
    if (me != 0) {
        shmem_double_put_signal(&part[me], &own, 1, &sig, 1, SHMEM_SIGNAL_ADD, 0);
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, n - 1);
        double sum = own;
        for (int i = 1; i < n; i++)
            sum += part[i];
        own = sum;
    }
    shmem_barrier_all();
    shmem_finalize();
}
