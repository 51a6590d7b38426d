/* Words of a text, counted in a hash table over all PEs by atomic operations in two contexts (OpenSHMEM 1.4 and later).
 *
 * Each PE reads a text of its own (made of random numbers, small words oftener) and counts its words. A slot of the table
 * has a state, an entry and a counter:
 *
 *   FREE    nobody has it
 *   TAKEN   a PE has won it by compare and swap and is writing the entry
 *   READY   the entry is there
 *
 * A word is looked for from the slot of its hash on. At a slot that is taken the PE waits, by fetching its state, until
 * it is ready: the writer completes the entry by shmem_ctx_quiet before it sets the state, so who has read READY by an
 * atomic operation can get the entry. Counters are raised by atomic operations that fetch nothing, in a context of their
 * own: the quiet of an entry does not wait for them, and a batch of them is completed at a time.
 *
 * A text has also lines, and each line has a number that no other line of any PE has: from a counter on PE 0.
 *
 * At the end all PEs look words up, and the sums over the table must be those of the texts, which are made a second time.
 *
 * Usage: hash-contexts WORDS VOCABULARY (WORDS of each PE; VOCABULARY of all texts together) */
#include "measure-shmem.h"
#include <stdint.h>
#include <string.h>
#include <time.h>

enum state { FREE, TAKEN, READY };

enum { LONGEST = 24, BATCH = 64, LINE = 16 };

/* What is known of a word. */
struct entry {
    uint64_t hash;
    char text[LONGEST];
};

/* The part of the table that a PE has; the arrays are symmetric. */
struct table {
    int me, pes;
    size_t slots;              /* of each PE */
    int *states;
    uint64_t *counts;
    struct entry *entries;
    shmem_ctx_t claims;        /* for entries and their states */
    shmem_ctx_t counters;      /* for counters */
    int pending;               /* in that context */
    uint64_t probes, waits;    /* slots that were looked at, states that were fetched again */
};

/* Where a word is. */
struct place {
    int pe;
    size_t slot;
};

/* A text that is read word by word. */
struct text {
    uint32_t random;
    uint32_t vocabulary;
};

/* Lines of all PEs, at PE 0. */
static uint64_t lines;

/* What reductions read and write. */
static uint64_t sums[4], sums_of_all[4];

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *memory_or_end(void *memory, const char *what)
{
    if (!memory) {
        fprintf(stderr, "PE %d: no memory for %s\n", shmem_my_pe(), what);
        shmem_global_exit(2);
    }
    return memory;
}

/* Scrambles bits (the finaliser of murmur3, Appleby 2008). */
static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ (x >> 16);
}

static uint32_t next_random(struct text *text)
{
    text->random = text->random * 1664525u + 1013904223u;
    return scramble(text->random);
}

static struct text text_of(int pe, uint32_t vocabulary)
{
    struct text text = {12345u + 977u * (uint32_t)pe, vocabulary};
    return text;
}

/* The next word; small numbers are frequent words, as in real texts: the smallest of three draws. */
static void next_word(struct text *text, char word[LONGEST])
{
    uint32_t number = text->vocabulary;
    for (int draw = 0; draw < 3; draw++) {
        uint32_t drawn = next_random(text) % text->vocabulary;
        number = drawn < number ? drawn : number;
    }
    static const char *const syllables[16] = {"ba", "ko", "mi", "tu", "re", "sa", "lo", "ni",
                                              "fe", "du", "ga", "po", "hi", "zu", "ve", "ja"};
    memset(word, 0, LONGEST);
    do {
        strcat(word, syllables[number % 16]);
        number /= 16;
    } while (number > 0);
}

/* FNV-1a. */
static uint64_t hash_of(const char *word)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *word; word++)
        hash = (hash ^ (unsigned char)*word) * 0x100000001b3u;
    return hash;
}

/* A context in which operations can be completed by themselves; the usual one where there are no more. */
static shmem_ctx_t context(void)
{
    shmem_ctx_t made;
    return shmem_ctx_create(SHMEM_CTX_SERIALIZED, &made) == 0 ? made : SHMEM_CTX_DEFAULT;
}

static void create_table(struct table *t, uint32_t vocabulary)
{
    memset(t, 0, sizeof *t);
    t->me = shmem_my_pe();
    t->pes = shmem_n_pes();
    t->slots = 2 * ((size_t)vocabulary / t->pes + 1);
    t->states = memory_or_end(shmem_calloc(t->slots, sizeof *t->states), "states");
    t->counts = memory_or_end(shmem_calloc(t->slots, sizeof *t->counts), "counters");
    t->entries = memory_or_end(shmem_calloc(t->slots, sizeof *t->entries), "entries");
    t->claims = context();
    t->counters = context();
    /* No PE may write into a table that is not yet filled with zeros. */
    shmem_barrier_all();
}

static void destroy_table(struct table *t)
{
    if (t->claims != SHMEM_CTX_DEFAULT)
        shmem_ctx_destroy(t->claims);
    if (t->counters != SHMEM_CTX_DEFAULT)
        shmem_ctx_destroy(t->counters);
    shmem_free(t->entries);
    shmem_free(t->counts);
    shmem_free(t->states);
}

/* Where a word is looked for first. */
static struct place first_place(const struct table *t, uint64_t hash)
{
    struct place place = {(int)(hash % t->pes), (size_t)(hash / t->pes % t->slots)};
    return place;
}

/* Fetches the state of a slot that a PE has taken, until its entry is there. */
static void wait_until_ready(struct table *t, struct place at)
{
    while (shmem_ctx_int_atomic_fetch(t->claims, &t->states[at.slot], at.pe) != READY)
        t->waits++;
}

/* Whether the entry of a slot, which is ready, is of this word. */
static int holds(struct table *t, struct place at, const struct entry *wanted)
{
    struct entry found;
    shmem_ctx_getmem(t->claims, &found, &t->entries[at.slot], sizeof found, at.pe);
    return found.hash == wanted->hash && strcmp(found.text, wanted->text) == 0;
}

/* Writes the entry of a slot that this PE has taken, and says that it is there. */
static void fill(struct table *t, struct place at, const struct entry *entry)
{
    shmem_ctx_putmem_nbi(t->claims, &t->entries[at.slot], entry, sizeof *entry, at.pe);
    /* The entry is at its place, and may be written again here. */
    shmem_ctx_quiet(t->claims);
    shmem_ctx_int_atomic_set(t->claims, &t->states[at.slot], READY, at.pe);
}

/* The slot of a word, which is taken for it if it has none. `fresh`: whether it was taken now. */
static struct place find_or_add(struct table *t, const char *word, int *fresh)
{
    struct entry entry;
    memset(&entry, 0, sizeof entry);
    entry.hash = hash_of(word);
    strcpy(entry.text, word);
    *fresh = 0;
    for (struct place at = first_place(t, entry.hash);; at.slot = (at.slot + 1) % t->slots) {
        int state = shmem_ctx_int_atomic_fetch(t->claims, &t->states[at.slot], at.pe);
        t->probes++;
        if (state == FREE) {
            state = shmem_ctx_int_atomic_compare_swap(t->claims, &t->states[at.slot], FREE, TAKEN, at.pe);
            if (state == FREE) {
                fill(t, at, &entry);
                *fresh = 1;
                return at;
            }
        }
        if (state == TAKEN)
            wait_until_ready(t, at);
        if (holds(t, at, &entry))
            return at;
    }
}

/* Raises the counter of a slot, some time before the next quiet. */
static void count(struct table *t, struct place at)
{
    shmem_ctx_uint64_atomic_inc(t->counters, &t->counts[at.slot], at.pe);
    if (++t->pending == BATCH) {
        shmem_ctx_quiet(t->counters);
        t->pending = 0;
    }
}

/* What a PE has to say of its text. */
struct summary {
    uint64_t fresh;       /* words that it was the first to see */
    uint64_t last_line;   /* the largest number of a line of its own */
};

/* Counts the words of a text. */
static struct summary read_text(struct table *t, struct text text, long words)
{
    struct summary summary = {0, 0};
    for (long i = 0; i < words; i++) {
        char word[LONGEST];
        int fresh;
        if (i % LINE == 0) {
            uint64_t line = shmem_uint64_atomic_fetch_inc(&lines, 0) + 1;
            summary.last_line = line > summary.last_line ? line : summary.last_line;
        }
        next_word(&text, word);
        count(t, find_or_add(t, word, &fresh));
        summary.fresh += fresh;
    }
    shmem_ctx_quiet(t->counters);
    shmem_ctx_quiet(t->claims);
    t->pending = 0;
    return summary;
}

/* How often a word was counted; 0 if it is not in the table. Nobody adds words meanwhile. */
static uint64_t look_up(struct table *t, const char *word)
{
    struct entry entry;
    memset(&entry, 0, sizeof entry);
    entry.hash = hash_of(word);
    strcpy(entry.text, word);
    for (struct place at = first_place(t, entry.hash);; at.slot = (at.slot + 1) % t->slots) {
        if (shmem_ctx_int_atomic_fetch(t->claims, &t->states[at.slot], at.pe) == FREE)
            return 0;
        if (holds(t, at, &entry))
            return shmem_ctx_uint64_atomic_fetch(t->counters, &t->counts[at.slot], at.pe);
    }
}

/* Whether every eighth word of the next PE's text is in the table, at least as often as this PE has seen it there; and
   a word that nobody has is not. */
static int verify_look_ups(struct table *t, long words, uint32_t vocabulary)
{
    struct text text = text_of((t->me + 1) % t->pes, vocabulary);
    char word[LONGEST];
    int right = look_up(t, "xyzzy") == 0;
    for (long i = 0; i < words; i++) {
        next_word(&text, word);
        if (i % 8 == 0)
            right &= look_up(t, word) > 0;
    }
    return right;
}

/* Adds up what each PE says. All have read the last sums when they come here again. */
static const uint64_t *over_all(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t own[4] = {a, b, c, d};
    shmem_sync_all();
    memcpy(sums, own, sizeof sums);
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, sums_of_all, sums, 4);
    return sums_of_all;
}

/* The sums over this PE's part of the table, and over its text, are the same for all PEs together: of the counters, and
   of the hashes as often as they were counted. And there are as many entries as words that were new to somebody. */
static int verify_sums(const struct table *t, struct text text, long words, struct summary summary)
{
    uint64_t counted = 0, hashes = 0, entries = 0, text_hashes = 0;
    int right = 1;
    for (size_t slot = 0; slot < t->slots; slot++) {
        if (t->states[slot] == FREE)
            continue;
        right &= t->states[slot] == READY && hash_of(t->entries[slot].text) == t->entries[slot].hash;
        counted += t->counts[slot];
        hashes += t->counts[slot] * t->entries[slot].hash;
        entries++;
    }
    for (long i = 0; i < words; i++) {
        char word[LONGEST];
        next_word(&text, word);
        text_hashes += hash_of(word);
    }
    const uint64_t *all = over_all(counted, hashes - text_hashes, entries - summary.fresh, 0);
    return right && all[0] == (uint64_t)words * t->pes && all[1] == 0 && all[2] == 0;
}

/* The lines were numbered without a gap: the largest number of all PEs is how many there are. */
static int verify_lines(const struct table *t, long words, struct summary summary)
{
    static uint64_t own, most;
    own = summary.last_line;
    shmem_barrier_all();
    shmem_uint64_max_reduce(SHMEM_TEAM_WORLD, &most, &own, 1);
    uint64_t there = shmem_uint64_atomic_fetch(&lines, 0);
    return most == (uint64_t)((words + LINE - 1) / LINE) * t->pes && there == most;
}

int main(int argc, char **argv)
{
    shmem_init();
    long words = measure_argument(argc, argv, 1, 20000, 1);
    uint32_t vocabulary = (uint32_t)measure_argument(argc, argv, 2, 5000, 1);

    struct table table;
    create_table(&table, vocabulary);
    struct text text = text_of(table.me, vocabulary);

    double begin = seconds_now();
    struct summary summary = read_text(&table, text, words);
    shmem_barrier_all();
    double seconds = seconds_now() - begin;

    int verified = verify_look_ups(&table, words, vocabulary);
    /* The table is read by all PEs until here, and by its owner from here on. */
    shmem_barrier_all();
    verified &= verify_sums(&table, text, words, summary) & verify_lines(&table, words, summary);
    const uint64_t *all = over_all(table.probes, table.waits, 0, 0);
    if (table.me == 0)
        fprintf(stderr, "%llu slots were looked at, %llu times a state was awaited\n", (unsigned long long)all[0],
                (unsigned long long)all[1]);
    double bytes = (double)table.slots * (sizeof *table.states + sizeof *table.counts + sizeof *table.entries);
    int status = measure_report("hash-contexts", seconds, (int)words, bytes, verified);
    destroy_table(&table);
    shmem_finalize();
    return status;
}
