/* A histogram: outcomes in the order in which they came first. */
static int64_t (*outcomes)[MOST_SEEN];
static long *counts;
static int known, room;

static void count(const int64_t *outcome, int size)
{
    for (int i = 0; i < known; i++)
        if (memcmp(outcomes[i], outcome, sizeof(int64_t) * size) == 0) {
            counts[i]++;
            return;
        }
    if (known == room) {
        room = room ? 2 * room : 64;
        outcomes = realloc(outcomes, sizeof *outcomes * room);
        counts = realloc(counts, sizeof *counts * room);
        if (outcomes == NULL || counts == NULL) {
            fprintf(stderr, "no memory for %d outcomes\n", room);
            target_abort();
            return;
        }
    }
    memcpy(outcomes[known], outcome, sizeof(int64_t) * size);
    counts[known++] = 1;
}

static void print(const struct test *test, double seconds)
{
    printf("Test %s Allowed\nHistogram (%d states)\n", test->name, known);
    for (int i = 0; i < known; i++) {
        printf("%ld :>", counts[i]);
        for (int j = 0; j < test->seen; j++)
            printf("%s=%lld; ", test->what[j].name, (long long)outcomes[i][j]);
        printf("\n");
    }
    printf("Ok\nTime %s %.6f\nHash=%s\n\n", test->name, seconds, test->hash);
    fflush(stdout);
}

/* FNV-1a: the delays of a test are its own, whatever ran before it. */
static uint64_t mixed(uint64_t seed, const char *text)
{
    for (seed ^= 0xcbf29ce484222325u; *text != 0; text++)
        seed = (seed ^ (unsigned char)*text) * 0x100000001b3u;
    return seed;
}

/* Flags are where notifications are kept, not in memory. */
static void put_first(const struct variable *variable, int v)
{
#ifdef HAS_FLAGS
    if (variable->flag) {
        set_flag(v, variable->first);
        return;
    }
#endif
    store(v, variable->first);
}

static int64_t final_value(const struct variable *variable, int v)
{
#ifdef HAS_FLAGS
    if (variable->flag)
        return take(v);
#endif
    (void)variable;
    return load(v);
}

static void run(const struct test *test, int rank, uint64_t seed, long runs, int64_t *all)
{
    int64_t begin = now();
    known = 0;
    random_state = mixed(seed, test->hash) ^ (uint64_t)rank * 0x9E3779B97F4A7C15u;
    for (long i = -WARM_UP; i < runs; i++) {
        int64_t seen[MOST_SEEN] = {0};
        for (int v = 0; v < test->variables; v++)
            if (test->variable[v].owner == rank)
                put_first(&test->variable[v], v);
        barrier();
        test->process(rank, seen);
        complete();
        barrier();
        for (int j = 0; j < test->seen; j++)
            if (test->what[j].owner == rank && test->what[j].variable >= 0)
                seen[j] = final_value(&test->variable[test->what[j].variable], test->what[j].variable);
        collect(seen, all, test->seen);
        if (rank == 0 && i >= 0) {
            for (int j = 0; j < test->seen; j++)
                seen[j] = all[test->what[j].owner * test->seen + j];
            count(seen, test->seen);
        }
    }
    if (rank == 0)
        print(test, (now() - begin) / 1e9);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    target_start(&argc, &argv, &rank, &ranks);
    const int all_tests = sizeof tests / sizeof *tests;
    if (argc < 4) {
        if (rank == 0)
            fprintf(stderr, "usage: %s RUNS SEED DELAY [FIRST [LAST]]\n", argv[0]);
        target_abort();
        return 2;
    }
    long runs = atol(argv[1]);
    uint64_t seed = strtoull(argv[2], NULL, 10);
    longest_delay = atol(argv[3]);
    int first = argc > 4 ? atoi(argv[4]) : 0;
    int last = argc > 5 ? atoi(argv[5]) : all_tests - 1;
    int64_t *all = malloc(sizeof(int64_t) * MOST_SEEN * ranks);
    if (all == NULL) {
        fprintf(stderr, "no memory\n");
        target_abort();
        return 2;
    }
    for (int i = first; i <= last && i < all_tests; i++) {
        if (tests[i].processes > ranks) {
            if (rank == 0)
                fprintf(stderr, "%s needs %d ranks; there are %d\n", tests[i].name, tests[i].processes, ranks);
            continue;
        }
        run(&tests[i], rank, seed, runs, all);
    }
    free(all);
    free(outcomes);
    free(counts);
    target_end();
    return 0;
}
