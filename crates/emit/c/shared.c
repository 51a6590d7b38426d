/* Everything that others access, registered once. */
static struct {
    int64_t variable[MOST_VARIABLES * STRIDE];
    /* At rank 0: the barriers that each rank has come to. */
    int64_t arrived[MOST_RANKS];
    /* The barriers that all have come to. */
    int64_t released;
    int64_t gathered[MOST_RANKS * MOST_SEEN];
    /* Sources of our own writes. */
    int64_t scratch[MOST_SEEN];
} shared __attribute__((aligned(4096)));

/* Those that this rank has come to. */
static int64_t barriers;

static inline int64_t *place(int variable)
{
    return shared.variable + variable * STRIDE;
}
