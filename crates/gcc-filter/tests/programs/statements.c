/* Accesses of every kind, each between two calls of synchronise: copies that a compiler expands in place, bit fields,
 * volatile, packed and atomic ones, structures, jumps, and functions that GCC knows. */
#include "recorder.h"

#include <math.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define D ((double *)arena)
#define I ((int *)arena)

struct block { long at[13]; };

KERNEL copies_of_known_size(int n)
{
    char own[4096];
    memcpy(own, arena + 100, 24);
    memcpy(own + 24, arena + 5000, 300);
    memcpy(arena + 40000 + n, own, 324);
    memset(arena + 60000 + n, own[n % 300], 77);
    memmove(arena + 70000, arena + 70010, 1000);
    memcpy(arena + 80000 + n, arena + 90000 + n, 8);
    synchronise();
    for (int i = 0; i < n; i++)
        memcpy(arena + 100000 + 40 * i, arena + 140000 + 24 * i, 20);
    synchronise();
    for (int i = 0; i < n; i++)
        memset(arena + 100000 + 40 * i, i, n & 31);
}

KERNEL structures(int n)
{
    struct block *all = (struct block *)(arena + 4096), one = all[n];
    one.at[n % 13]++;
    all[n + 1] = one;
    synchronise();
    for (int i = 0; i < n; i++)
        all[200 + i] = all[i];
}

struct bits { unsigned a : 3, b : 11, c : 18; long d : 40; };
KERNEL bit_fields(int n)
{
    struct bits *all = (struct bits *)(arena + 20000);
    for (int i = 0; i < n; i++) {
        all[i].b += i;
        all[i].d -= i;
    }
    synchronise();
    all[n].a = all[n + 1].c;
}

struct __attribute__((packed)) odd { char first; double value; short last; };
KERNEL packed_ones(int n)
{
    struct odd *all = (struct odd *)(arena + 3);
    for (int i = 0; i < n; i++)
        all[i * 3].value += all[i * 3 + 1].last;
}

KERNEL volatile_and_atomic(int n)
{
    volatile int *flags = I + 3000;
    for (int i = 0; i < n; i++)
        flags[i]++;
    synchronise();
    _Atomic int *counts = (_Atomic int *)(I + 9000);
    for (int i = 0; i < n; i++) {
        I[12000 + i] += 1;
        if (atomic_load(counts) > 5)
            synchronise();
    }
}

/* Square roots set errno: the compiler calls a function that it knows. */
KERNEL mathematics(int n)
{
    for (int i = 0; i < n; i++)
        D[i] = sqrt(D[i + 7]) + exp(D[2 * i + 1000]);
}

static jmp_buf back;
KERNEL jumps(int n)
{
    volatile int round = 0;
    if (setjmp(back) == 0)
        round = 1;
    for (int i = 0; i < n; i++)
        I[i] += round;
    if (round < 2) {
        round = 2;
        longjmp(back, 1);
    }
}

__attribute__((noinline, noipa)) static int leaves(int i) { return i == 77; }
KERNEL unknown_calls(int n)
{
    for (int i = 0; i < n; i++) {
        I[i] += 1;
        if (leaves(i)) {
            synchronise();
            return;
        }
        I[5000 + i] += 1;
    }
}

KERNEL switches(int n)
{
    for (int i = 0; i < n; i++)
        switch (I[i] & 3) {
        case 0: I[2000 + i]++; break;
        case 1: D[4000 + i]++; /* fall through */
        case 2: I[i + 1]++; break;
        default: continue;
        }
}

KERNEL labels(int n)
{
    static void *const places[] = {&&one, &&two, &&end};
    int i = 0;
one:
    I[i]++;
    i++;
    goto *places[i >= n ? 2 : 1];
two:
    I[i + 3000]++;
    goto *places[i >= n ? 2 : 0];
end:
    I[6000] = i;
}

/* Exit conditions in the middle and at the beginning of loops. */
KERNEL exits(int n)
{
    int i = 0;
    while (1) {
        I[i]++;
        if (i == n)
            break;
        I[4000 + 2 * i]++;
        i++;
    }
    synchronise();
    for (int k = 0; k < n; k++)
        for (int j = 0; j < 40; j++) {
            if (j == k)
                break;
            I[100 * (k % 100) + j]++;
        }
    synchronise();
    for (unsigned char c = 250; c != (unsigned char)n; c++)
        I[c]++;
    synchronise();
    for (long k = 0, j = n; k < j; k++, j--)
        D[k] += D[j];
}

/* Conditions that stay the same, one in the other, and negative numbers of rounds. */
KERNEL guards(int n, int m, int start)
{
    for (int i = start; i < n; i++) {
        if (m > 3)
            if (n != 5)
                for (int j = start; j < m; j++)
                    I[16 + 64 * (i & 255) + j]++;
        if (m < 2)
            D[10000 + i]++;
    }
    synchronise();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < start; j++)
            I[i + j] = 1;
}

KERNEL pointers(int n, int rows)
{
    int *p = I + 10;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < n; x++)
            *p++ += x;
        p += 5;
    }
    synchronise();
    char *end = arena + 5000, *q = arena + 4000 + n;
    while (q < end)
        *q++ ^= 1;
    synchronise();
    struct node { struct node *next; int value; } *nodes = (struct node *)(arena + 50000 - 50000 % 16);
    for (int i = 0; i < n; i++)
        nodes[i].next = i + 1 < n ? &nodes[(i * 7 + 7) % n] : 0;
    synchronise();
    int steps = 0;
    for (struct node *node = nodes; node && steps < n; node = node->next, steps++)
        node->value++;
}

static int cells[600], *known;
static int hidden[600];
KERNEL variables(int n)
{
    /* `cells` are known outside, `hidden` are not, and neither is watched. */
    known = cells;
    for (int i = 0; i < n && i < 600; i++) {
        cells[i] += I[i];
        hidden[i] += cells[i];
    }
    I[9999] = hidden[n % 600];
}

int main(int argc, char **argv)
{
    int n = argc > 3 ? atoi(argv[3]) : 0;
    watch(atoi(argv[1]), atoi(argv[2]));
#define RUN(call) call; synchronise()
    RUN(copies_of_known_size(n % 300));
    RUN(structures(n % 100));
    RUN(bit_fields(n));
    RUN(packed_ones(n));
    RUN(volatile_and_atomic(n));
    RUN(mathematics(n));
    RUN(jumps(n));
    RUN(unknown_calls(n));
    RUN(switches(n));
    RUN(labels(n));
    RUN(exits(n % 250));
    RUN(guards(n, n % 50, 0));
    RUN(guards(n, 1, -3));
    RUN(guards(n, n % 50, 17));
    RUN(guards(-n, n, 0));
    RUN(pointers(n % 100, n % 20));
    RUN(variables(n));
    return 0;
}
