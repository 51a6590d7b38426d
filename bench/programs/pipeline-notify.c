/* The edit distance of two long texts, in a pipeline of ranks that tell one another by notifications (GASPI 17.1).
 *
 * The table of distances has a row a letter of the first text and a column a letter of the second. Each rank has a block
 * of columns, and goes down it in tiles of ROWS rows. A tile needs the last column of the same tile of the rank before:
 * it comes by gaspi_write_notify into one of SLOTS places. Who has taken it tells the rank before that the place is free,
 * by a notification alone. So ranks work at different tiles at a time, and none waits for all others.
 *
 * Why that is enough:
 * - The notification of a write comes after its data: who has seen it may read them.
 * - A place is written again after its owner has said that it is free, which it does after it has read it.
 * - The column that is sent is written again after gaspi_wait on its queue: that completes writes here, and says nothing
 *   of the other side.
 *
 * At the start the other ranks read the texts from rank 0: the first by gaspi_read_notify, their block of the second by
 * gaspi_read and gaspi_wait. At the end each rank writes the last row of its block to rank 0, which waits for whichever
 * comes first. Rank 0 computes the table again by itself, and compares the whole row.
 *
 * Usage: pipeline-notify ROWS COLUMNS (letters of the two texts) */
#include "measure-gaspi.h"
#include <stdint.h>
#include <string.h>

enum { SLOTS = 4, TILE = 64 };

/* Segments: the texts, what goes from rank to rank, the last row. */
enum { TEXTS, COLUMNS, RESULT };

/* Queues: columns, words that a place is free, all else. */
enum { DATA, CREDIT, OTHER, QUEUES };

/* Notifications of COLUMNS: a place is full, a place of the next rank is free. */
enum { FULL = 0, FREE = SLOTS };

/* Of TEXTS: the first text is there. Of RESULT: the block of a rank is there, at its number. */
enum { ARRIVED = 0 };

struct job {
    gaspi_rank_t rank, ranks;
    long rows, columns;        /* of the whole table */
    long first, width;         /* this rank's columns */
    const char *down;          /* the first text */
    char *across;              /* this rank's part of the second */
    int *last_row;             /* this rank's part; before the first tile: the row above the table */
    int *arriving;             /* SLOTS columns of a tile */
    int *leaving;              /* likewise, to be sent */
};

/* Scrambles bits (the finaliser of murmur3, Appleby 2008). */
static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ (x >> 16);
}

static void *memory_or_end(void *memory, const char *what)
{
    if (!memory) {
        fprintf(stderr, "no memory for %s\n", what);
        exit(2);
    }
    return memory;
}

static double seconds_now(void)
{
    gaspi_time_t time;
    MUST(gaspi_time_get(&time));
    return 1e-3 * time;
}

/* Two texts of few letters; the second repeats parts of the first, so that the distance is no trivial one. */
static void make_texts(char *down, long rows, char *across, long columns)
{
    for (long i = 0; i < rows; i++)
        down[i] = (char)('a' + scramble((uint32_t)i) % 4);
    for (long i = 0; i < columns; i++) {
        uint32_t drawn = scramble((uint32_t)i + 0x9e3779b9u);
        across[i] = drawn % 5 ? down[(i + drawn % 3) % rows] : (char)('a' + drawn % 4);
    }
}

static long first_column(const struct job *job, int rank)
{
    return job->columns * rank / job->ranks;
}

static void *segment(gaspi_segment_id_t id, gaspi_size_t bytes)
{
    gaspi_pointer_t pointer;
    MUST(gaspi_segment_create(id, bytes ? bytes : 1, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
    MUST(gaspi_segment_ptr(id, &pointer));
    return pointer;
}

/* Takes a notification of this rank, which has come or will come, and returns its value. */
static gaspi_notification_t take(gaspi_segment_id_t id, gaspi_notification_id_t begin, gaspi_number_t number,
                                 gaspi_notification_id_t *which)
{
    gaspi_notification_t value;
    do {
        MUST(gaspi_notify_waitsome(id, begin, number, which, GASPI_BLOCK));
        MUST(gaspi_notify_reset(id, *which, &value));
    } while (value == 0);
    return value;
}

/* The texts come from rank 0. */
static void fetch_texts(struct job *job)
{
    char *texts = segment(TEXTS, (gaspi_size_t)(job->rows + job->columns));
    char *second = texts + job->rows;
    if (job->rank == 0)
        make_texts(texts, job->rows, second, job->columns);
    /* Nobody reads before they are made. */
    MUST(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
    job->down = texts;
    job->across = second + job->first;
    if (job->rank == 0)
        return;
    MUST(gaspi_read_notify(TEXTS, 0, 0, TEXTS, 0, (gaspi_size_t)job->rows, ARRIVED, OTHER, GASPI_BLOCK));
    gaspi_offset_t place = (gaspi_offset_t)(job->rows + job->first);
    if (job->width > 0)
        MUST(gaspi_read(TEXTS, place, 0, TEXTS, place, (gaspi_size_t)job->width, OTHER, GASPI_BLOCK));
    gaspi_notification_id_t which;
    take(TEXTS, ARRIVED, 1, &which);
    MUST(gaspi_wait(OTHER, GASPI_BLOCK));
}

static void create(struct job *job, long rows, long columns)
{
    MUST(gaspi_proc_rank(&job->rank));
    MUST(gaspi_proc_num(&job->ranks));
    job->rows = rows;
    job->columns = columns;
    job->first = first_column(job, job->rank);
    job->width = first_column(job, job->rank + 1) - job->first;
    fetch_texts(job);
    job->arriving = segment(COLUMNS, 2 * SLOTS * TILE * sizeof(int));
    job->leaving = job->arriving + SLOTS * TILE;
    int *row = segment(RESULT, (gaspi_size_t)columns * sizeof(int));
    job->last_row = row + job->first;
    for (long i = 0; i < job->width; i++)
        job->last_row[i] = (int)(job->first + i + 1);
}

static gaspi_offset_t leaving_offset(long tile)
{
    return (gaspi_offset_t)(SLOTS + tile % SLOTS) * TILE * sizeof(int);
}

static gaspi_offset_t arriving_offset(long tile)
{
    return (gaspi_offset_t)(tile % SLOTS) * TILE * sizeof(int);
}

/* Hands a request to a queue that can be full: then it is emptied first. */
#define POST(queue, call)                                                                                              \
    do {                                                                                                               \
        gaspi_return_t post_code;                                                                                      \
        while ((post_code = (call)) == GASPI_QUEUE_FULL)                                                               \
            MUST(gaspi_wait(queue, GASPI_BLOCK));                                                                      \
        MUST(post_code);                                                                                               \
    } while (0)

/* The column to the left of a tile: what the rank before sends, or the edge of the table. */
static void receive_column(struct job *job, long tile, long top, int rows, int *left)
{
    if (job->rank == 0) {
        for (int i = 0; i < rows; i++)
            left[i] = (int)(top + i + 1);
        return;
    }
    gaspi_notification_id_t which;
    gaspi_notification_t number = take(COLUMNS, FULL + tile % SLOTS, 1, &which);
    if (number != (gaspi_notification_t)tile + 1) {
        fprintf(stderr, "rank %d: tile %u came, not %ld\n", job->rank, number - 1, tile);
        exit(1);
    }
    memcpy(left, job->arriving + tile % SLOTS * TILE, sizeof(int) * rows);
    POST(CREDIT, gaspi_notify(COLUMNS, job->rank - 1, FREE + tile % SLOTS, 1, CREDIT, GASPI_BLOCK));
}

/* Sends the last column of a tile to the next rank, when it has a free place. */
static void send_column(struct job *job, long tile, int rows)
{
    if (job->rank + 1 == job->ranks)
        return;
    gaspi_notification_id_t which;
    if (tile >= SLOTS)
        take(COLUMNS, FREE + tile % SLOTS, 1, &which);
    POST(DATA, gaspi_write_notify(COLUMNS, leaving_offset(tile), job->rank + 1, COLUMNS, arriving_offset(tile),
                                  sizeof(int) * rows, FULL + tile % SLOTS, (gaspi_notification_t)tile + 1, DATA,
                                  GASPI_BLOCK));
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A row of the table: `row` holds the row above and becomes this one; `diagonal` and `left` are the cells to its left,
   above and beside. Returns its last cell. */
static int next_row(int *row, const char *across, long width, char letter, int diagonal, int left)
{
    for (long i = 0; i < width; i++) {
        int above = row[i];
        int replaced = diagonal + (across[i] != letter);
        left = smaller(replaced, smaller(above, left) + 1);
        row[i] = left;
        diagonal = above;
    }
    return left;
}

/* Goes down the block, tile by tile. */
static void run(struct job *job)
{
    int left[TILE];
    /* The cell above and to the left of a tile. */
    int corner = (int)job->first;
    for (long tile = 0, top = 0; top < job->rows; tile++, top += TILE) {
        int rows = (int)(job->rows - top < TILE ? job->rows - top : TILE);
        receive_column(job, tile, top, rows, left);
        if (tile % SLOTS == 0 && tile > 0)
            /* All columns of the round before have left, and their places can be filled again. */
            MUST(gaspi_wait(DATA, GASPI_BLOCK));
        int *leaving = job->leaving + tile % SLOTS * TILE;
        for (int i = 0; i < rows; i++) {
            int diagonal = i > 0 ? left[i - 1] : corner;
            leaving[i] = next_row(job->last_row, job->across, job->width, job->down[top + i], diagonal, left[i]);
        }
        corner = left[rows - 1];
        send_column(job, tile, rows);
    }
    MUST(gaspi_wait(DATA, GASPI_BLOCK));
    MUST(gaspi_wait(CREDIT, GASPI_BLOCK));
}

/* What the next rank says of its places and nobody has waited for: all of it is taken, so that nothing is left over. */
static void take_credits(struct job *job)
{
    long tiles = (job->rows + TILE - 1) / TILE;
    if (job->rank + 1 == job->ranks)
        return;
    for (long tile = tiles > SLOTS ? tiles - SLOTS : 0; tile < tiles; tile++) {
        gaspi_notification_id_t which;
        take(COLUMNS, FREE + tile % SLOTS, 1, &which);
    }
}

/* The last row of the whole table, at rank 0; its blocks come in any order. */
static void collect(struct job *job)
{
    if (job->rank > 0) {
        gaspi_offset_t place = (gaspi_offset_t)job->first * sizeof(int);
        gaspi_size_t bytes = (gaspi_size_t)job->width * sizeof(int);
        if (bytes > 0)
            MUST(gaspi_write(RESULT, place, 0, RESULT, place, bytes, OTHER, GASPI_BLOCK));
        /* It comes after the writes of its queue. */
        MUST(gaspi_notify(RESULT, 0, job->rank, 1, OTHER, GASPI_BLOCK));
        MUST(gaspi_wait(OTHER, GASPI_BLOCK));
        return;
    }
    for (int others = 1; others < job->ranks; others++) {
        gaspi_notification_id_t which;
        take(RESULT, 1, job->ranks - 1, &which);
    }
}

/* Whether the row that rank 0 has collected is that of a table that it computes alone. */
static int verify(const struct job *job)
{
    if (job->rank != 0)
        return 1;
    char *down = memory_or_end(malloc((size_t)job->rows), "the first text");
    char *across = memory_or_end(malloc((size_t)job->columns), "the second text");
    int *row = memory_or_end(malloc(sizeof(int) * (size_t)job->columns), "a row");
    make_texts(down, job->rows, across, job->columns);
    for (long i = 0; i < job->columns; i++)
        row[i] = (int)i + 1;
    for (long i = 0; i < job->rows; i++)
        next_row(row, across, job->columns, down[i], (int)i, (int)i + 1);
    int same = memcmp(row, job->last_row, sizeof(int) * (size_t)job->columns) == 0;
    free(row);
    free(across);
    free(down);
    return same;
}

/* What is left of a program that has forgotten nothing: no notification that nobody has taken. */
static int verify_flags(void)
{
    int left = 0;
    for (gaspi_notification_id_t id = 0; id < 2 * SLOTS; id++) {
        gaspi_notification_t value;
        MUST(gaspi_notify_reset(COLUMNS, id, &value));
        left += value != 0;
    }
    return left == 0;
}

/* Whether the last rank's distance is what all ranks agree on: no more than the longer text has letters. */
static int verify_distance(const struct job *job)
{
    int own = job->rank + 1 == job->ranks && job->width > 0 ? job->last_row[job->width - 1] : 0, most;
    MUST(gaspi_allreduce(&own, &most, 1, GASPI_OP_MAX, GASPI_TYPE_INT, GASPI_GROUP_ALL, GASPI_BLOCK));
    long longer = job->rows > job->columns ? job->rows : job->columns;
    long shorter = job->rows + job->columns - longer;
    return most >= longer - shorter && most <= longer;
}

int main(int argc, char **argv)
{
    gaspi_config_t config;
    MUST(gaspi_config_get(&config));
    config.queue_num = QUEUES;
    MUST(gaspi_config_set(config));
    MUST(gaspi_proc_init(GASPI_BLOCK));
    long rows = measure_argument(argc, argv, 1, 2000, 1);
    long columns = measure_argument(argc, argv, 2, 2000, 1);

    struct job job;
    create(&job, rows, columns);
    MUST(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
    double begin = seconds_now();
    run(&job);
    take_credits(&job);
    MUST(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
    double seconds = seconds_now() - begin;

    collect(&job);
    int verified = verify(&job) & verify_flags() & verify_distance(&job);
    double bytes = (double)(rows + columns) + (double)columns * sizeof(int) + 2.0 * SLOTS * TILE * sizeof(int);
    int status = measure_report("pipeline-notify", seconds, (int)((rows + TILE - 1) / TILE), bytes, verified);
    MUST(gaspi_proc_term(GASPI_BLOCK));
    return status;
}
