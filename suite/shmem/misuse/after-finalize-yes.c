/* {"RACE_KIND": "misuse", "RACE_PAIR": ["shmem_int_p@13"], "NPROCS": 2, "NEEDS": "checked arguments", "RULE": "outside-library", "DESCRIPTION": "a put after finalize"} */
/* OpenSHMEM 1.5, 9.1.4. */
#include <shmem.h>
#include <stdio.h>

static int x[8];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    shmem_finalize();
    shmem_int_p(x, 4, me);
    return 0;
}
