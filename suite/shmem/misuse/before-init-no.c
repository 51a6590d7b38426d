/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 1, "DESCRIPTION": "a put after init"} */
/* OpenSHMEM 1.5, 9.1.1. */
#include <shmem.h>
#include <stdio.h>

static int x[8];

int main(void)
{
    shmem_init();
    shmem_int_p(x, 4, shmem_my_pe());
    shmem_quiet();
    printf("%d\n", x[0]);
    shmem_finalize();
    return 0;
}
