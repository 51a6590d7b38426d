/* What is wrong in one way each: the library ends the program, and says why. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long word;
static const long constant = 5;

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
#define IS(NAME) (strcmp(what, NAME) == 0)
    long local = 0;
    if (IS("before"))
        shmem_long_p(&word, 1, 0);
    shmem_init();
    int n = shmem_n_pes();
    if (IS("twice"))
        shmem_init();
    if (IS("pe"))
        shmem_long_p(&word, 1, n);
    if (IS("negative"))
        shmem_long_atomic_inc(&word, -1);
    if (IS("stack"))
        shmem_long_put(&local, &local, 1, 0);
    if (IS("constant"))
        shmem_long_get(&local, &constant, 1, 0);
    if (IS("null"))
        shmem_long_put(NULL, &local, 1, 0);
    if (IS("source"))
        shmem_long_put(&word, NULL, 1, 0);
    if (IS("long"))
        shmem_putmem(&word, &local, (size_t)1 << 40, 0);
    if (IS("stride"))
        shmem_long_iput(&word, &local, 0, 1, 1, 0);
    if (IS("aligned"))
        shmem_int_atomic_inc((int *)((char *)&word + 1), 0);
    if (IS("compare"))
        shmem_long_wait_until(&word, 77, 0);
    if (IS("signal"))
        shmem_putmem_signal(&word, &local, 1, (uint64_t *)&word, 1, 9, 0);
    if (IS("context"))
        shmem_ctx_quiet((shmem_ctx_t)77);
    if (IS("destroyed")) {
        shmem_ctx_t ctx;
        shmem_ctx_create(0, &ctx);
        shmem_ctx_destroy(ctx);
        shmem_ctx_quiet(ctx);
    }
    if (IS("team"))
        shmem_team_sync((shmem_team_t)99);
    if (IS("predefined"))
        shmem_team_destroy(SHMEM_TEAM_WORLD);
    if (IS("root"))
        shmem_long_broadcast(SHMEM_TEAM_WORLD, &word, &word, 1, n);
    if (IS("set"))
        shmem_barrier(0, 0, n + 1, &word);
    if (IS("clear"))
        shmem_clear_lock(&word);
    if (IS("again")) {
        shmem_set_lock(&word);
        shmem_set_lock(&word);
    }
    if (IS("free"))
        shmem_free(&word);
    if (IS("inner"))
        shmem_free((char *)shmem_malloc(100) + 8);
    if (IS("alignment"))
        shmem_align(24, 8);
    if (IS("sizes"))
        shmem_malloc(100 + (size_t)shmem_my_pe());
    if (IS("frees")) {
        void *a = shmem_malloc(8), *b = shmem_malloc(8);
        shmem_free(shmem_my_pe() ? a : b);
    }
    if (IS("exit")) {
        if (shmem_my_pe() == n - 1)
            shmem_global_exit(7);
        shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
    }
    if (IS("exit0")) {
        if (shmem_my_pe() == n - 1)
            shmem_global_exit(0);
        for (;;)
            sleep(1);
    }
    if (IS("die")) {
        if (shmem_my_pe() == n - 1)
            _exit(3);
        shmem_barrier_all();
    }
    shmem_finalize();
    if (IS("after"))
        shmem_my_pe();
    return 0;
}
