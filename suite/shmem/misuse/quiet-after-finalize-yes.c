/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_quiet@12"], "NPROCS": 2, "NEEDS": "checked arguments", "RULE": "outside-library", "DESCRIPTION": "a quiet after finalize"} */
/* OpenSHMEM 1.5, 9.1.4. */
#include <shmem.h>
#include <stdio.h>

static int x[8];

int main(void)
{
    shmem_init();
    shmem_finalize();
    shmem_quiet();
    return 0;
}
