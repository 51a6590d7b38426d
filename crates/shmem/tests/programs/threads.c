/* OpenSHMEM 1.5 9.2, 9.5: threads with a context each. */
#include "conform.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 200 };

static long count, words[THREADS];

static void *work(void *argument) {
    long number = (long)argument;
    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0)
        return argument;
    for (int i = 0; i < ROUNDS; i++) {
        shmem_ctx_long_atomic_inc(ctx, &count, next);
        shmem_ctx_long_p(ctx, &words[number], i + 1, next);
        shmem_ctx_quiet(ctx);
        shmem_long_wait_until(&words[number], SHMEM_CMP_GE, i + 1);
    }
    shmem_ctx_destroy(ctx);
    return NULL;
}

int main(void) {
    int provided = -1;
    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    int level = -1;
    shmem_query_thread(&level);
    CHECK(level == SHMEM_THREAD_MULTIPLE);
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        CHECK(pthread_join(threads[i], &failed) == 0);
        if (failed)
            failures++;
    }
    shmem_barrier_all();
    CHECK(count == THREADS * ROUNDS);
    return end();
}
