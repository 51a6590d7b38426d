// robust: no
// from: MCS lock without the quiet; locks/mcs-no.pgas
// why: The lock is passed on before the put of the critical section arrives.
#include <shmem.h>

// A process by its rank plus 1; 0 is nobody.
struct lock {
    int tail;
    int next;
    int locked;
};

static struct lock lock;
static int count;

static void acquire(int me) {
    lock.next = 0;
    lock.locked = 1;
    int before = shmem_int_atomic_swap(&lock.tail, me + 1, 0);
    if (before != 0) {
        shmem_int_p(&lock.next, me + 1, before - 1);
        shmem_int_wait_until(&lock.locked, SHMEM_CMP_EQ, 0);
    }
}

static void release(int me) {
    if (shmem_int_atomic_compare_swap(&lock.tail, me + 1, 0, 0) == me + 1)
        return;
    shmem_int_wait_until(&lock.next, SHMEM_CMP_NE, 0);
    shmem_int_p(&lock.locked, 0, lock.next - 1);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    (void)n;
    acquire(me);
    int c = shmem_int_g(&count, 0);
    shmem_int_p(&count, c + 1, 0);
    release(me);
    shmem_finalize();
    return 0;
}
