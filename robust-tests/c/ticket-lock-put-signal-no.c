// robust: no
// why: As ticket-lock-put-signal-yes, but the number is put for itself: the signal may overtake it.
#include <shmem.h>

static int next, count;
static uint64_t serving;

int main(void) {
    shmem_init();
    int ticket = shmem_int_atomic_fetch_inc(&next, 0);
    while (shmem_uint64_atomic_fetch(&serving, 0) != (uint64_t)ticket)
        ;
    int now = shmem_int_g(&count, 0) + 1;
    shmem_int_p(&count, now, 0);
    shmem_uint64_atomic_set(&serving, (uint64_t)ticket + 1, 0);
    shmem_finalize();
    return 0;
}
