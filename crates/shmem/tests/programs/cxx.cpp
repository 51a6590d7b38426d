// The header in C++: names with types.
#include <shmem.h>
#include <cstdio>

static long word;
static double numbers[2], total[2];

int main() {
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_ctx_t ctx;
    bool right = shmem_ctx_create(0, &ctx) == 0;
    shmem_ctx_long_p(ctx, &word, me + 1, (me + 1) % n);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    right = right && word == (me + n - 1) % n + 1;
    numbers[0] = 1;
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, total, numbers, 1);
    right = right && total[0] == n;
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    if (!right) std::fprintf(stderr, "cxx.cpp: wrong\n");
    return right ? 0 : 1;
}
