/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put before finalize"} */
/* OpenSHMEM 1.5, 9.1.4. */
#include <shmem.h>
#include <stdio.h>

static int x[8];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    shmem_int_p(x, 4, me);
    shmem_finalize();
    printf("%d\n", x[0]);
    return 0;
}
