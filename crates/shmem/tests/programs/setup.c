/* OpenSHMEM 1.5 9.1 to 9.3, 9.5, 9.11: queries, the heap, contexts, order. */
#include "conform.h"

static int global = 7, zero;
int exported_global = 8;
static char large[100000];

static void queries(void) {
    int major = 0, minor = 0, local = 0;
    char name[SHMEM_MAX_NAME_LEN];
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && strlen(name) > 0);
    CHECK(shmem_pe_accessible(0) == 1 && shmem_pe_accessible(n - 1) == 1);
    CHECK(shmem_pe_accessible(n) == 0 && shmem_pe_accessible(-1) == 0);
    CHECK(me >= 0 && me < n && _my_pe() == me && _num_pes() == n);
    int *heap = shmem_malloc(sizeof(int));
    CHECK(shmem_addr_accessible(&global, next) && shmem_addr_accessible(heap, next));
    CHECK(shmem_addr_accessible(&zero, next) && shmem_addr_accessible(&exported_global, next));
    CHECK(!shmem_addr_accessible(&local, next));
    CHECK(shmem_ptr(heap, me) == heap);
#if HAS_1_5 /* Open MPI 4.1.4 ends the program. */
    CHECK(shmem_ptr(&local, next) == NULL);
#endif
    int level = -1;
    shmem_query_thread(&level);
    CHECK(level >= SHMEM_THREAD_SINGLE && level <= SHMEM_THREAD_MULTIPLE);
    *heap = me;
    shmem_barrier_all();
    int *theirs = shmem_ptr(heap, next);
    CHECK(theirs == NULL || *theirs == next);
    shmem_barrier_all();
    shmem_free(heap);
#if HAS_1_5
    shmem_pcontrol(1);
    shmem_pcontrol(2, "more", 3);
#endif
}

static void heap(void) {
    char *a = shmem_malloc(1000), *b = shmem_align(4096, 10), *c = shmem_calloc(3, 5);
    CHECK(a && b && c && (uintptr_t)b % 4096 == 0 && (uintptr_t)a % sizeof(long double) == 0);
    for (int i = 0; i < 15; i++)
        CHECK(c[i] == 0);
    /* The same offset everywhere: what is put to my address arrives at theirs. */
    char text[16];
    snprintf(text, sizeof text, "from %d", me);
    shmem_putmem(b, text, sizeof b, next);
    memset(a, me, 1000);
    shmem_barrier_all();
    snprintf(text, sizeof text, "from %d", prev);
    CHECK(memcmp(b, text, 6) == 0);
    a = shmem_realloc(a, 5000);
    CHECK(a != NULL && a[0] == me && a[999] == me);
    shmem_putmem(a + 4000, text, 10, next);
    shmem_barrier_all();
    CHECK(memcmp(a + 4000, "from ", 5) == 0);
#if HAS_1_5 /* Of 1.4 as well, but Open MPI 4.1.4 gives an address. */
    CHECK(shmem_malloc(0) == NULL);
#endif
    shmem_free(NULL);
    shmem_free(b);
    shmem_free(a);
    shmem_free(c);
    a = shmem_realloc(NULL, 10);
    CHECK(a != NULL);
    CHECK(shmem_realloc(a, 0) == NULL);
    a = shmalloc(10);
    b = shmemalign(64, 10);
    a = shrealloc(a, 20);
    CHECK(a && b);
    shfree(a);
    shfree(b);
#if HAS_1_5
    a = shmem_malloc_with_hints(10, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
    CHECK(a != NULL);
    shmem_free(a);
    CHECK(shmem_malloc((size_t)1 << 46) == NULL);
#endif
    shmem_clear_cache_inv();
    shmem_set_cache_inv();
    shmem_clear_cache_line_inv(large);
    shmem_set_cache_line_inv(large);
    shmem_udcflush();
    shmem_udcflush_line(large);
}

static void statics(void) {
    static long inner = 3;
    CHECK(global == 7 && exported_global == 8 && inner == 3 && zero == 0 && large[50000] == 0);
    shmem_barrier_all();
    shmem_int_p(&global, me + 100, next);
    shmem_int_p(&exported_global, me + 200, next);
    shmem_long_p(&inner, me + 300, next);
    shmem_int_atomic_add(&zero, me + 1, 0);
    char letters[26];
    for (int i = 0; i < 26; i++)
        letters[i] = (char)('a' + (i + me) % 26);
    shmem_char_put(large + 77777, letters, 26, next);
    shmem_barrier_all();
    CHECK(global == prev + 100 && exported_global == prev + 200 && inner == prev + 300);
    CHECK(large[77777] == 'a' + prev && large[77777 + 25] == 'a' + (25 + prev) % 26 && large[77776] == 0);
    if (me == 0)
        CHECK(zero == n * (n + 1) / 2);
    /* The C library's own data among them still works. */
    fflush(stdout);
    CHECK(stdout != stderr && getenv("PATH") != NULL);
    shmem_barrier_all();
}

static void contexts(void) {
    shmem_ctx_t ctxs[20];
    long *word = shmem_calloc(20, sizeof *word);
    long options[4] = {0, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_NOSTORE};
    for (int i = 0; i < 20; i++)
        CHECK(shmem_ctx_create(options[i % 4], &ctxs[i]) == 0);
    for (int i = 0; i < 20; i++)
        shmem_ctx_long_p(ctxs[i], word + i, me * 100 + i, next);
    for (int i = 0; i < 20; i++) {
        shmem_ctx_fence(ctxs[i]);
        if (i % 2)
            shmem_ctx_quiet(ctxs[i]);
        shmem_ctx_destroy(ctxs[i]);
    }
    shmem_sync_all();
    for (int i = 0; i < 20; i++)
        CHECK(word[i] == prev * 100 + i);
    shmem_barrier_all();
    CHECK(shmem_ctx_create(0, &ctxs[0]) == 0);
    shmem_ctx_long_p(ctxs[0], word, 1, next);
    shmem_ctx_quiet(ctxs[0]);
    shmem_ctx_destroy(ctxs[0]);
    shmem_ctx_quiet(SHMEM_CTX_DEFAULT);
    shmem_ctx_fence(SHMEM_CTX_DEFAULT);
    shmem_ctx_long_p(SHMEM_CTX_DEFAULT, word + 1, 2, next);
    shmem_quiet();
#if HAS_1_5
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    shmem_team_t team;
    CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID);
#endif
    shmem_free(word);
}

/* Who sees the flag sees what was put before the fence, many times. */
static void order(void) {
    enum { ROUNDS = 200, WORDS = 64 };
    static long data[WORDS], flag, back;
    flag = back = 0;
    shmem_barrier_all();
    for (long round = 1; round <= ROUNDS; round++) {
        long mine[WORDS];
        for (int i = 0; i < WORDS; i++)
            mine[i] = round * 1000 + i;
        shmem_long_put(data, mine, WORDS, next);
        shmem_fence();
        if (round % 2)
            shmem_long_p(&flag, round, next);
        else
            shmem_long_atomic_set(&flag, round, next);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
        for (int i = 0; i < WORDS; i++)
            CHECK(data[i] == round * 1000 + i);
        shmem_long_atomic_inc(&back, prev);
        shmem_long_wait_until(&back, SHMEM_CMP_GE, round);
    }
    shmem_barrier_all();
}

/* The same with data that takes its time. */
static void order_of_much(void) {
    enum { WORDS = 1 << 18 };
    static long flag;
    long *data = shmem_calloc(WORDS, sizeof *data), *mine = malloc(WORDS * sizeof *mine);
    for (long round = 1; round <= 6; round++) {
        for (long i = 0; i < WORDS; i++)
            mine[i] = round * WORDS + i;
        shmem_long_put(data, mine, WORDS, next);
        shmem_fence();
        if (round % 2)
            shmem_long_p(&flag, round, next);
        else
            shmem_long_atomic_set(&flag, round, next);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
        for (long i = WORDS - 1; i > 0; i /= 2)
            CHECK(data[i] == round * WORDS + i);
        shmem_barrier_all();
    }
    free(mine);
    shmem_free(data);
}

int main(void) {
    begin();
    statics();
    queries();
    heap();
    contexts();
    order();
    order_of_much();
    return end();
}
