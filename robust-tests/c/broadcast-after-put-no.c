// robust: no
// from: A put, and a broadcast after it (OpenSHMEM 1.5 §9.9)
// why: Who has the value of the root comes after its call, which completes no put.
#include <shmem.h>

static long data;
static int given, got;

int main(void) {
    shmem_init();
    given = shmem_my_pe() + 1;
    if (shmem_my_pe() == 0) {
        long value = 4;
        shmem_long_put(&data, &value, 1, 1);
    }
    shmem_int_broadcast(SHMEM_TEAM_WORLD, &got, &given, 1, 0);
    if (shmem_my_pe() == 1 && got == 1) {
        volatile long seen = data;
        (void)seen;
    }
    shmem_finalize();
    return 0;
}
