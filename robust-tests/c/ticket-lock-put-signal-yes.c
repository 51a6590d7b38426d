// robust: yes
// why: A ticket lock that is handed on by the signal of the put of what it guards: the signal comes after its data.
#include <shmem.h>

static int next, count;
static uint64_t serving;

int main(void) {
    shmem_init();
    int ticket = shmem_int_atomic_fetch_inc(&next, 0);
    while (shmem_uint64_atomic_fetch(&serving, 0) != (uint64_t)ticket)
        ;
    int now = shmem_int_g(&count, 0) + 1;
    shmem_int_put_signal(&count, &now, 1, &serving, (uint64_t)ticket + 1, SHMEM_SIGNAL_SET, 0);
    shmem_finalize();
    return 0;
}
