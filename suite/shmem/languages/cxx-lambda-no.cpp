/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a barrier between the get and the lambda"} */
/* OpenSHMEM 1.5, 9.6.2. */
#include <shmem.h>
#include <cstdio>
#include <algorithm>
#include <numeric>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    auto *x = static_cast<int *>(shmem_malloc(8 * sizeof(int)));
    for (int i = 0; i < 8; i++)
        x[i] = me;

    auto fill = [&] { x[1] = 2; };
    shmem_barrier_all();
    if (me == 0)
        shmem_int_get(v, x, 4, 1);
    shmem_barrier_all();
    if (me == 1)
        fill();
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
