/* Heat in a square plate, whose halos travel by put with signal (OpenSHMEM 1.5).
 *
 * The plate is cut into blocks, a PE each, on a grid of PEs that is as square as it can be. In a step each PE packs the
 * edges of its block, sends them to its up to four neighbours with a signal that counts steps, relaxes the cells that
 * need no halo, waits for the signals of its neighbours, and relaxes the rest. There is no barrier in the loop.
 *
 * Why that is enough:
 * - The signal of a put comes after its data, and a PE that has seen it may read them.
 * - Halos have two places, for even and for odd steps. A PE writes the place of step k + 2 only after the signal of step
 *   k + 1 of the same neighbour, which that one sends after it has read step k. So nothing is overwritten that is needed.
 * - shmem_quiet before a step lets the packed edges be written again. It also completes the halos of the step before:
 *   who sees the signal of a later step first has those, too.
 *
 * Every so many steps the largest change is reduced over all PEs, as a program does that stops when nothing changes any
 * more. The plate begins as an eigenvector of the step, so that its temperature is known at any time: each PE compares
 * its block with that, and PE 0 fetches a column of every block and compares these as they came.
 *
 * Usage: halo-signal CELLS STEPS [EVERY] (CELLS of an edge of the plate; a reduction EVERY steps) */
#include "measure-shmem.h"
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum side { WEST, EAST, NORTH, SOUTH, SIDES };

static const enum side opposite[SIDES] = {EAST, WEST, SOUTH, NORTH};

/* What every PE knows of the plate and of its block. */
struct plate {
    int cells;             /* of an edge of the plate, its fixed border not counted */
    int across, down;      /* PEs */
    int column, row;       /* of this PE among them */
    int left, top;         /* the first cell of the block */
    int width, height;     /* of the block */
    int neighbour[SIDES];  /* PE, or -1 at the border */
    double *now, *next;    /* the block with a frame of one cell, row by row */
};

/* What travels. It is symmetric: all PEs have it, of the same size. */
struct halos {
    int longest;           /* cells of the longest edge of any block */
    double *packed[2];     /* edges to be sent, by parity of the step: a side after the other */
    double *arrived[2];    /* halos of the neighbours, likewise */
    uint64_t *steps;       /* by side: the last step whose halo has arrived, counted from 1 */
};

/* What the reduction reads and writes. */
static double change, largest_change;

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

/* The first cell of part `part` of `parts`, of `cells` cells. */
static int first_cell(int cells, int parts, int part)
{
    return (int)((long)cells * part / parts);
}

/* The widest part. */
static int widest(int cells, int parts)
{
    return (cells + parts - 1) / parts;
}

/* The temperature of a cell at the beginning: a product of half waves. Indices count from 0. */
static double wave(const struct plate *p, int column, int row)
{
    double step = M_PI / (p->cells + 1);
    return sin(step * (column + 1)) * sin(step * (row + 1));
}

/* What a step multiplies the wave by. */
static double damping(const struct plate *p)
{
    return cos(M_PI / (p->cells + 1));
}

static double *cell(double *block, const struct plate *p, int column, int row)
{
    return block + (size_t)row * (p->width + 2) + column;
}

/* As square a grid of PEs as there is. */
static void arrange(struct plate *p)
{
    int pes = shmem_n_pes(), me = shmem_my_pe();
    p->down = (int)sqrt((double)pes);
    while (pes % p->down != 0)
        p->down--;
    p->across = pes / p->down;
    p->column = me % p->across;
    p->row = me / p->across;
    p->neighbour[WEST] = p->column > 0 ? me - 1 : -1;
    p->neighbour[EAST] = p->column + 1 < p->across ? me + 1 : -1;
    p->neighbour[NORTH] = p->row > 0 ? me - p->across : -1;
    p->neighbour[SOUTH] = p->row + 1 < p->down ? me + p->across : -1;
}

static void create_plate(struct plate *p, int cells)
{
    p->cells = cells;
    arrange(p);
    p->left = first_cell(cells, p->across, p->column);
    p->top = first_cell(cells, p->down, p->row);
    p->width = first_cell(cells, p->across, p->column + 1) - p->left;
    p->height = first_cell(cells, p->down, p->row + 1) - p->top;
    size_t size = (size_t)(p->width + 2) * (p->height + 2);
    p->now = memory_or_end(calloc(size, sizeof(double)), "the block");
    p->next = memory_or_end(calloc(size, sizeof(double)), "the block");
    for (int row = 0; row < p->height; row++)
        for (int column = 0; column < p->width; column++)
            *cell(p->now, p, column + 1, row + 1) = wave(p, p->left + column, p->top + row);
}

static void create_halos(struct halos *h, const struct plate *p)
{
    int columns = widest(p->cells, p->across), rows = widest(p->cells, p->down);
    h->longest = columns > rows ? columns : rows;
    size_t bytes = sizeof(double) * SIDES * h->longest;
    for (int parity = 0; parity < 2; parity++) {
        h->packed[parity] = memory_or_end(shmem_malloc(bytes), "edges");
        h->arrived[parity] = memory_or_end(shmem_malloc(bytes), "halos");
    }
    h->steps = memory_or_end(shmem_calloc(SIDES, sizeof(uint64_t)), "signals");
}

/* How many cells the edge at a side has. */
static int edge_length(const struct plate *p, enum side side)
{
    return side == WEST || side == EAST ? p->height : p->width;
}

/* The first cell of the edge at a side, or of the frame beside it, and the distance of two of its cells. */
static double *edge(const struct plate *p, enum side side, int in_frame, int *stride)
{
    *stride = side == WEST || side == EAST ? p->width + 2 : 1;
    switch (side) {
    case WEST:
        return cell(p->now, p, in_frame ? 0 : 1, 1);
    case EAST:
        return cell(p->now, p, in_frame ? p->width + 1 : p->width, 1);
    case NORTH:
        return cell(p->now, p, 1, in_frame ? 0 : 1);
    default:
        return cell(p->now, p, 1, in_frame ? p->height + 1 : p->height);
    }
}

/* Packs the edges of this block and sends them. The neighbour at a side finds them at its opposite side. */
static void send_edges(const struct plate *p, const struct halos *h, int step)
{
    int parity = step % 2;
    /* The edges of two steps ago have left their place. */
    shmem_quiet();
    for (int side = 0; side < SIDES; side++) {
        if (p->neighbour[side] < 0)
            continue;
        int stride, length = edge_length(p, side), there = opposite[side];
        const double *from = edge(p, side, 0, &stride);
        double *packed = h->packed[parity] + (size_t)side * h->longest;
        for (int i = 0; i < length; i++)
            packed[i] = from[(size_t)i * stride];
        shmem_double_put_signal_nbi(h->arrived[parity] + (size_t)there * h->longest, packed, length, &h->steps[there],
                                    (uint64_t)step + 1, SHMEM_SIGNAL_SET, p->neighbour[side]);
    }
}

/* Waits for the halos of a step, and puts them into the frame. A neighbour can be a step ahead. */
static void receive_halos(const struct plate *p, const struct halos *h, int step)
{
    int parity = step % 2;
    for (int side = 0; side < SIDES; side++) {
        if (p->neighbour[side] < 0)
            continue;
        shmem_signal_wait_until(&h->steps[side], SHMEM_CMP_GE, (uint64_t)step + 1);
        int stride, length = edge_length(p, side);
        double *into = edge(p, side, 1, &stride);
        const double *arrived = h->arrived[parity] + (size_t)side * h->longest;
        for (int i = 0; i < length; i++)
            into[(size_t)i * stride] = arrived[i];
    }
}

/* Relaxes the cells of a rectangle of the block, its ends included; returns the largest change. */
static double relax(const struct plate *p, int left, int right, int top, int bottom)
{
    double most = 0;
    int width = p->width + 2;
    for (int row = top; row <= bottom; row++) {
        const double *above = p->now + (size_t)(row - 1) * width;
        const double *here = above + width, *below = here + width;
        double *into = p->next + (size_t)row * width;
        for (int column = left; column <= right; column++) {
            into[column] = 0.25 * (above[column] + below[column] + here[column - 1] + here[column + 1]);
            double by = fabs(into[column] - here[column]);
            most = by > most ? by : most;
        }
    }
    return most;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The cells at the edges of the block, which need halos. A block may be a single row or column. */
static double relax_edges(const struct plate *p)
{
    double most = relax(p, 1, p->width, 1, 1);
    if (p->height > 1)
        most = larger(most, relax(p, 1, p->width, p->height, p->height));
    if (p->height > 2) {
        most = larger(most, relax(p, 1, 1, 2, p->height - 1));
        if (p->width > 1)
            most = larger(most, relax(p, p->width, p->width, 2, p->height - 1));
    }
    return most;
}

/* The largest change of all PEs. All have read the last one when they come here again. */
static double over_all(double own)
{
    shmem_sync_all();
    change = own;
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &largest_change, &change, 1);
    return largest_change;
}

/* Returns the largest change of the last reduction. */
static double run(struct plate *p, const struct halos *h, int steps, int every)
{
    double last = 0;
    for (int step = 0; step < steps; step++) {
        send_edges(p, h, step);
        double most = relax(p, 2, p->width - 1, 2, p->height - 1);
        receive_halos(p, h, step);
        most = larger(most, relax_edges(p));
        double *old = p->now;
        p->now = p->next;
        p->next = old;
        if ((step + 1) % every == 0)
            last = over_all(most);
    }
    return last;
}

/* Whether two temperatures are the same but for rounding. */
static int same(double found, double expected)
{
    return fabs(found - expected) < 1e-9;
}

/* Whether this block is as it must be after so many steps. */
static int verify_block(const struct plate *p, int steps)
{
    double factor = pow(damping(p), steps);
    for (int row = 0; row < p->height; row++)
        for (int column = 0; column < p->width; column++)
            if (!same(*cell(p->now, p, column + 1, row + 1), factor * wave(p, p->left + column, p->top + row)))
                return 0;
    return 1;
}

/* PE 0 fetches the middle column of every block from where its PE has laid it open, and looks at it. */
static int verify_columns(const struct plate *p, int steps)
{
    int columns = widest(p->cells, p->across), rows = widest(p->cells, p->down), right = 1;
    double *open = memory_or_end(shmem_malloc(sizeof(double) * columns * rows), "the picture");
    for (int row = 0; row < p->height; row++)
        memcpy(open + (size_t)row * columns, cell(p->now, p, 1, row + 1), sizeof(double) * p->width);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        double factor = pow(damping(p), steps);
        double *column = memory_or_end(malloc(sizeof(double) * rows), "a column");
        for (int pe = 0; pe < shmem_n_pes(); pe++) {
            int across = pe % p->across, down = pe / p->across;
            int left = first_cell(p->cells, p->across, across), top = first_cell(p->cells, p->down, down);
            int middle = (first_cell(p->cells, p->across, across + 1) - left) / 2;
            int height = first_cell(p->cells, p->down, down + 1) - top;
            shmem_double_iget(column, open + middle, 1, columns, height, pe);
            for (int row = 0; row < height; row++)
                right &= same(column[row], factor * wave(p, left + middle, top + row));
        }
        free(column);
    }
    shmem_free(open);
    return right;
}

/* Whether the largest change that was reduced is the one of that step: the wave shrinks by the same part each time. */
static int verify_change(const struct plate *p, int steps, int every, double last)
{
    int reduced = steps / every * every;
    if (reduced == 0)
        return 1;
    double top = 0;
    for (int i = 0; i < p->cells; i++)
        top = larger(top, wave(p, i, p->cells / 2));
    double before = pow(damping(p), reduced - 1);
    return same(last, top * before * (1 - damping(p)));
}

int main(int argc, char **argv)
{
    shmem_init();
    int cells = (int)measure_argument(argc, argv, 1, 400, 1);
    int steps = (int)measure_argument(argc, argv, 2, 100, 1);
    int every = (int)measure_argument(argc, argv, 3, 10, 1);

    struct plate plate;
    struct halos halos;
    create_plate(&plate, cells);
    if (cells < plate.across || cells < plate.down) {
        fprintf(stderr, "%s: fewer cells than PEs\n", argv[0]);
        shmem_global_exit(2);
    }
    create_halos(&halos, &plate);

    shmem_barrier_all();
    double begin = seconds_now();
    double last = run(&plate, &halos, steps, every);
    shmem_barrier_all();
    double seconds = seconds_now() - begin;

    int verified = verify_block(&plate, steps) & verify_columns(&plate, steps) & verify_change(&plate, steps, every, last);
    double bytes = sizeof(double) * (4.0 * SIDES * halos.longest) + sizeof(uint64_t) * SIDES;
    int status = measure_report("halo-signal", seconds, steps, bytes, verified);
    for (int parity = 0; parity < 2; parity++) {
        shmem_free(halos.packed[parity]);
        shmem_free(halos.arrived[parity]);
    }
    shmem_free(halos.steps);
    free(plate.now);
    free(plate.next);
    shmem_finalize();
    return status;
}
