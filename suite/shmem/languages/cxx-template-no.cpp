/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a quiet and a barrier between the templates"} */
/* OpenSHMEM 1.5, 9.6.1. */
#include <shmem.h>
#include <cstdio>
#include <algorithm>
#include <numeric>

template <int N> struct Box {
    int *at;
    explicit Box(int *at) : at(at) {}
    void send(const int *from, int pe)
    {
        shmem_int_put(at, from, N, pe);
    }
    int sum() const
    {
        int all = 0;
        for (int i = 0; i < N; i++)
            all += at[i];
        return all;
    }
};

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, seen = 0;
    auto *x = static_cast<int *>(shmem_malloc(8 * sizeof(int)));
    for (int i = 0; i < 8; i++)
        x[i] = me;
    Box<4> box(x);

    shmem_barrier_all();
    if (me == 0)
        box.send(v, 1);
    shmem_barrier_all();
    if (me == 1)
        seen = box.sum();
    shmem_barrier_all();

    printf("%d of %d%s\n", me, n, seen == -1 ? "!" : "");
    shmem_finalize();
    return 0;
}
