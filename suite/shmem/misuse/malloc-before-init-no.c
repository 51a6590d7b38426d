/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "an allocation after init"} */
/* OpenSHMEM 1.5, 9.1.1. */
#include <shmem.h>
#include <stdio.h>

static int x[8];

int main(void)
{
    shmem_init();
    int *y = shmem_malloc(64);
    printf("%d\n", y == NULL);
    shmem_finalize();
    return 0;
}
