/* Loops whose filtering is easy to get wrong, each between two calls of synchronise. */
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define D ((double *)arena)
#define I ((int *)arena)

/* A round that is left in the middle. */
KERNEL left_by_break(int n)
{
    for (int i = 0; i < n; i++) {
        I[i] = 5;
        if (I[3 * i] == 5 && i > 40)
            break;
        I[8000 + i] = 6;
    }
}

/* No round at all, and one. */
KERNEL none_and_one(long n)
{
    for (long i = 0; i < n; i++)
        D[i] += 1;
    for (long i = n; i < n + 1; i++)
        D[1000 + i] += 1;
}

/* Downwards, with a step that does not divide, to the first element of the memory. */
KERNEL downwards(int n)
{
    for (int i = n; i >= 0; i -= 7)
        D[i] = i;
}

/* Rows with a gap, once along and once across; and a place that every row uses again. */
KERNEL rectangle(int rows, int columns, long pitch)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            D[y * pitch + x] += 1;
    for (int x = 0; x < columns; x++)
        for (int y = 0; y < rows; y++)
            D[y * pitch + x] += I[x] + I[y];
}

/* The inner loop gets longer. */
KERNEL triangle(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            D[i * 64 + j] += D[j * 64 + i];
}

/* An index that goes round at 256. */
KERNEL wraps(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        arena[40000 + (unsigned char)(i * 3 + 200)] += 1;
}

/* Unsigned 32-bit arithmetic that wraps before it is widened. */
KERNEL wraps_at_32_bits(unsigned start, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        I[(start + i) & 0x3fffu] += 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned place = start + i;
        if (place < 16384u)
            I[place] += 1;
    }
}

/* Index lists: the addresses are not affine, those of the list are. */
KERNEL scatter(int n)
{
    int *list = I + 32768;
    for (int i = 0; i < n; i++)
        list[i] = (i * 37) % 500;
    synchronise();
    for (int i = 0; i < n; i++)
        D[list[i]] += list[i];
}

/* The bound is loaded from memory that the loop may store to. */
struct row { long length; double *values; };
KERNEL bound_in_memory(struct row *row)
{
    for (long i = 0; i < row->length; i++)
        row->values[i] += 2;
}

/* A call that synchronises in the middle of a nest. */
KERNEL synchronises(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 100; j++)
            D[i * 100 + j] += 1;
        synchronise();
    }
}

/* Polls: the same place, again and again, and volatile. */
KERNEL volatile_rounds(int n)
{
    volatile int *flag = I + 5000;
    for (int i = 0; i < n; i++)
        if (*flag == 0)
            break;
}

/* Two accesses at the end of one page and the beginning of the next, not aligned. */
struct __attribute__((packed)) odd { char first; double value; };
KERNEL unaligned(int n)
{
    struct odd *all = (struct odd *)(arena + 4096 - 45);
    for (int i = 0; i < n; i++)
        all[i].value += 1;
    all[4].value = 3;
    all[5].value = 3;
}

/* Neighbours in one block, asked for together. */
KERNEL neighbours(int at)
{
    double *p = D + at;
    p[0] = p[3] + p[7];
    p[1] = p[4] + p[6];
    p[511] = p[2];
    p[600] = p[2];
}

/* A loop that the conditions of another decide. */
KERNEL conditional(int n, int m)
{
    for (int i = 0; i < n; i++) {
        if (I[i] == 1)
            I[10000 + i] = 3;
        if (m > 0)
            for (int j = 0; j < m; j++)
                I[20000 + j] += i;
    }
}

static double private_sum[64];
KERNEL private_memory(int n)
{
    double *own = malloc(sizeof(double) * 64);
    memset(own, 0, sizeof(double) * 64);
    for (int i = 0; i < n; i++) {
        own[i & 63] += D[i];
        private_sum[i & 63] += own[(i * 5) & 63];
    }
    D[9000] = private_sum[3] + own[5];
    free(own);
}

KERNEL copies(int n)
{
    memcpy(arena + 100, arena + 9000, n);
    memset(arena + 20000, 3, n);
    for (int i = 0; i < n; i++)
        arena[50000 + i] = arena[60000 + i];
}

/* Blocks of a few unknowns, eliminated together: what two or three loops with few rounds reach is asked once. */
KERNEL blocks(int n)
{
    enum { M = 5 };
    for (int block = 0; block < n; block++) {
        double *a = D + 40 + block * (2 * M * M + M), *b = a + M * M, *x = b + M * M;
        for (int pivot = 0; pivot < M; pivot++) {
            for (int c = pivot + 1; c < M; c++)
                a[pivot * M + c] *= 0.5;
            x[pivot] += b[pivot * M];
            for (int r = M - 1; r >= 0; r--) {
                if (r == pivot)
                    continue;
                for (int c = M - 1; c > pivot; c -= 2)
                    a[r * M + c] -= a[pivot * M + c];
                for (int c = 0; c < r; c++)
                    b[r * M + c] -= I[30000 + c * r] + b[c];
                x[r] -= a[r * M + pivot] * x[pivot];
            }
        }
    }
}

/* As much as a page, and a little more, from any place in one. */
KERNEL pages(int n)
{
    for (int i = 0; i < n % 40; i++) {
        double *from = D + 37 * i;
        for (int y = 0; y < 16; y++)
            for (int x = 0; x < 31; x++)
                if ((x + y) % 3)
                    from[y * 32 + x] += I[40000 + 64 * x + y];
        for (int y = 16; y-- > 0;)
            for (int x = 0; x < 34; x++)
                if (from[(y * 33 + x) * 16] > 0)
                    from[8000 - 33 * y - x] += 1;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 3 ? atoi(argv[3]) : 0;
    watch(atoi(argv[1]), atoi(argv[2]));
    struct row row = {n, D + 300};
    struct row *inside = (struct row *)(arena + 8192);
#define RUN(call) call; synchronise()
    RUN(left_by_break(n));
    RUN(none_and_one(0));
    RUN(none_and_one(n));
    RUN(downwards(n * 3));
    RUN(rectangle(n % 30, 37, 600));
    RUN(rectangle(37, n % 30, 40));
    RUN(triangle(n % 64));
    RUN(wraps(n * 4));
    RUN(wraps_at_32_bits(0xffffff00u, 3 * n));
    RUN(scatter(n));
    RUN(bound_in_memory(&row));
    *inside = row;
    RUN(bound_in_memory(inside));
    RUN(synchronises(5));
    RUN(volatile_rounds(n));
    RUN(unaligned(n));
    RUN(neighbours(n));
    RUN(neighbours(400));
    RUN(conditional(n, n / 2));
    RUN(conditional(n, 0));
    RUN(private_memory(n));
    RUN(copies(n));
    RUN(blocks(n));
    RUN(pages(n));
    return 0;
}
