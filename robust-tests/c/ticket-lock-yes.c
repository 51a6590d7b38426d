// robust: yes
// from: Ticket lock at process 0 (paper 004, section 4.3); locks/ticket-quiet-yes.pgas
// why: The put of the critical section is complete before the next ticket is served.
#include <shmem.h>

static int next, serving, count;

static void acquire(void) {
    int ticket = shmem_int_atomic_fetch_inc(&next, 0);
    while (shmem_int_atomic_fetch(&serving, 0) != ticket)
        ;
}

static void release(void) {
    shmem_quiet();
    shmem_int_atomic_inc(&serving, 0);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    (void)n;
    (void)me;
    acquire();
    int c = shmem_int_g(&count, 0);
    shmem_int_p(&count, c + 1, 0);
    release();
    shmem_finalize();
    return 0;
}
