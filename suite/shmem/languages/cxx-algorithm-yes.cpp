/* {"RACE_KIND": "remote", "RACE_PAIR": ["shmem_put@27", "LOAD@12"], "NPROCS": 2, "DESCRIPTION": "std::accumulate reads what is put"} */
/* OpenSHMEM 1.5, 9.6.1. */
#include <shmem.h>
#include <cstdio>
#include <algorithm>
#include <numeric>

static int sum(const int *from, const int *to)
{
    int all = 0;
    for (; from != to; ++from)
        all += *from;
    return all;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    auto *x = static_cast<int *>(shmem_malloc(8 * sizeof(int)));
    for (int i = 0; i < 8; i++)
        x[i] = me;

    shmem_barrier_all();
    if (me == 0)
        shmem_int_put(x, v, 4, 1);
    if (me == 1)
        seen = sum(x, x + 4);
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
