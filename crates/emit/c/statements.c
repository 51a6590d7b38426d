struct variable {
    int owner;
    int64_t first;
    /* Notifications set it, where the interface has them. */
    int flag;
};

struct seen {
    const char *name;
    int owner;
    /* Its final value is seen; -1 for registers. */
    int variable;
};

struct test {
    const char *name;
    const char *hash;
    int processes;
    int variables;
    const struct variable *variable;
    int seen;
    const struct seen *what;
    void (*process)(int rank, int64_t *seen);
};

/* SplitMix64. */
static uint64_t random_state;
static int64_t longest_delay;

static uint64_t random_bits(void)
{
    uint64_t mixed = random_state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Half of the time nothing; else up to the longest delay, short ones oftener. */
static void hesitate(void)
{
    uint64_t bits = random_bits();
    if (longest_delay == 0 || bits & 1)
        return;
    int64_t part = (int64_t)(bits >> 1) % 1000;
    int64_t end = now() + longest_delay * part / 1000 * part / 1000;
    while (now() < end)
        relax();
}
