/* The oracle of the filter's tests: callbacks that write down, byte by byte, what a program loads and stores.
 *
 * Some pages of `arena` are watched, chosen by a number. Between two calls of `synchronise`, every access that touches a watched
 * page is noted; `synchronise` prints what was noted and forgets it. A run is taken apart into its accesses, one by one.
 * FAULT makes it a filter that is wrong in one way, to see that the tests notice. */
#include "recorder.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FAULT
#define FAULT 0
#endif
enum { NONE, LAST_ROUND_LOST, LINES_LOST, PAGES_MISSED, STRIDE_IGNORED, RUNS_INVENTED, LINES_MISSED };

enum { LOAD = 1, STORE = 2 };
char arena[ARENA] __attribute__((aligned(4096)));
static char *first_page = arena;
static unsigned char noted[ARENA];
static unsigned segment;

static unsigned char table[1 << 20];
unsigned char *__farside_page_table = table;
uint64_t __farside_page_mask = (1 << 20) - 1;

static unsigned char *page(uint64_t address) { return &table[address >> 12 & __farside_page_mask]; }

static int watched(uint64_t address, uint64_t size)
{
    return *page(address) & 0x7f || *page(address + size - 1) & 0x7f;
}

static void note(uint64_t address, uint64_t size, int kind)
{
    if (!watched(address, size))
        return;
    if (address - (uint64_t)first_page < 4096)
        address += arena - first_page;
    for (uint64_t byte = address; byte < address + size; byte++)
        if (byte - (uint64_t)arena < ARENA)
            noted[byte - (uint64_t)arena] |= kind;
}

static void note_run(uint64_t base, uint64_t size, uint64_t count, uint64_t stride, uint64_t lines, uint64_t pitch, int kind)
{
    if (FAULT == LAST_ROUND_LOST && count)
        count--;
    if (FAULT == LINES_LOST && lines)
        lines = 1;
    if (FAULT == STRIDE_IGNORED)
        stride = size;
    if (FAULT == RUNS_INVENTED)
        count++;
    for (uint64_t line = 0; line < lines; line++)
        for (uint64_t step = 0; step < count; step++)
            note(base + line * pitch + step * stride, size, kind);
}

void __farside_read_run(uint64_t base, uint64_t size, uint64_t count, uint64_t stride, uint64_t lines, uint64_t pitch)
{
    note_run(base, size, count, stride, lines, pitch, LOAD);
}

void __farside_write_run(uint64_t base, uint64_t size, uint64_t count, uint64_t stride, uint64_t lines, uint64_t pitch)
{
    note_run(base, size, count, stride, lines, pitch, STORE);
}

/* Round by round, to be exact: what may be watched is nothing that anyone is told. */
int __farside_line_watched(uint64_t base, uint64_t size, uint64_t count, uint64_t stride)
{
    if (FAULT == LINES_MISSED)
        return 0;
    if (count == 0 || count > 1 << 20)
        return 1;
    for (uint64_t step = 0; step < count; step++)
        if (watched(base + step * stride, size))
            return 1;
    return 0;
}

#define CALLBACKS(size)                                                                             \
    void __tsan_read##size(uint64_t address) { note(address, size, LOAD); }                         \
    void __tsan_write##size(uint64_t address) { note(address, size, STORE); }                       \
    void __tsan_unaligned_read##size(uint64_t address) { note(address, size, LOAD); }               \
    void __tsan_unaligned_write##size(uint64_t address) { note(address, size, STORE); }
CALLBACKS(1)
CALLBACKS(2)
CALLBACKS(4)
CALLBACKS(8)
CALLBACKS(16)

void __tsan_read_range(uint64_t address, uint64_t size) { note(address, size, LOAD); }
void __tsan_write_range(uint64_t address, uint64_t size) { note(address, size, STORE); }
void __tsan_vptr_update(uint64_t address, void *table) { (void)table, note(address, 8, STORE); }
/* Atomic operations are calls, with the plugin and without: they are not noted. */
int __tsan_atomic32_load(int *from, int order) { return (void)order, __atomic_load_n(from, __ATOMIC_SEQ_CST); }
void __tsan_init(void) {}
void __tsan_func_entry(void *from) { (void)from; }
void __tsan_func_exit(void) {}

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    if (size) {
        note((uint64_t)from, size, LOAD);
        note((uint64_t)to, size, STORE);
    }
    return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
    if (size) {
        note((uint64_t)from, size, LOAD);
        note((uint64_t)to, size, STORE);
    }
    return memmove(to, from, size);
}

void *__tsan_memset(void *to, int value, size_t size)
{
    for (uint64_t byte = 0; byte < size; byte++)
        note((uint64_t)to + byte, 1, STORE);
    return memset(to, value, size);
}

/* A load that a later store of the same block covers need not be announced, so loads count together with stores. */
static uint64_t digest(int kinds, unsigned long *bytes)
{
    uint64_t hash = 0xcbf29ce484222325u;
    *bytes = 0;
    for (unsigned place = 0; place < ARENA; place++)
        if (noted[place] & kinds) {
            hash = (hash ^ place) * 0x100000001b3u;
            ++*bytes;
        }
    return hash;
}

void synchronise(void)
{
    unsigned long stored, touched;
    uint64_t stores = digest(STORE, &stored), all = digest(LOAD | STORE, &touched);
    printf("segment %u: %lu bytes stored, %016llx; %lu touched, %016llx\n", segment++, stored, (unsigned long long)stores,
           touched, (unsigned long long)all);
    memset(noted, 0, sizeof noted);
}

void lend(char *lent)
{
    first_page = lent;
    *page((uint64_t)lent) = 0x81;
}

void watch(unsigned seed, unsigned of_sixteen)
{
    for (uint64_t each = 0; each < ARENA; each += 4096) {
        seed = seed * 1664525u + 1013904223u;
        *page((uint64_t)arena + each) = (seed >> 20) % 16 < of_sixteen ? 0x81 : (seed & 1 ? 0x80 : 0);
    }
    if (FAULT == PAGES_MISSED)
        *page((uint64_t)arena + 4096 * (ARENA / 8192)) = 0, *page((uint64_t)arena + 4096 * (ARENA / 8192 - 1)) = 0;
    memset(arena, 1, sizeof arena);
}

/* Where parts of OpenMP's constructs begin and end: all iterations of a thread are one. */
void __farside_static_loop(uint64_t chunk, uint64_t iterations) { (void)chunk, (void)iterations; }
uint64_t __farside_static_strand(uint64_t at, uint64_t end, int64_t step)
{
    (void)at, (void)step;
    return end;
}
void __farside_static_chunk(void) {}
void __farside_work_ends(void) {}
void __farside_compiler_asks(void) {}
