/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_malloc@10"], "NPROCS": 2, "NEEDS": "checked arguments", "RULE": "outside-library", "DESCRIPTION": "an allocation before init"} */
/* OpenSHMEM 1.5, 9.1.1. */
#include <shmem.h>
#include <stdio.h>

static int x[8];

int main(void)
{
    int *y = shmem_malloc(64);
    shmem_init();
    printf("%d\n", y == NULL);
    shmem_finalize();
    return 0;
}
