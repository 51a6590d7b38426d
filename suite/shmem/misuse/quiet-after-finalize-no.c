/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a quiet before finalize"} */
/* OpenSHMEM 1.5, 9.1.4. */
#include <shmem.h>
#include <stdio.h>

static int x[8];

int main(void)
{
    shmem_init();
    shmem_quiet();
    shmem_finalize();
    return 0;
}
