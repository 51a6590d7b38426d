// robust: no
// from: Queue with one producer and one consumer, without the fence
// why: The head may overtake the item that it counts.
#include <shmem.h>

#define ITEMS 2
#define SLOTS 1

static int buffer[SLOTS];
static int head, tail;

static void send(int item) {
    static int sent;
    shmem_int_wait_until(&tail, SHMEM_CMP_GT, sent - SLOTS);
    shmem_int_p(&buffer[sent % SLOTS], item, 1);
    sent++;
    shmem_int_p(&head, sent, 1);
}

static int receive(void) {
    static int received;
    shmem_int_wait_until(&head, SHMEM_CMP_GT, received);
    int item = buffer[received % SLOTS];
    received++;
    shmem_int_p(&tail, received, 0);
    return item;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    (void)n;
    if (me == 0) {
        for (int item = 1; item <= ITEMS; item++)
            send(item);
    } else if (me == 1) {
        for (int item = 1; item <= ITEMS; item++)
            if (receive() != item)
                shmem_global_exit(1);
    }
    shmem_finalize();
    return 0;
}
