/* What the programs of the suite share: checks, and the sets of types of OpenSHMEM 1.5 (tables 3 to 12). */
#ifndef CONFORM_H
#define CONFORM_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HAS_1_5 (SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5)

static int me, n, next, prev, failures;

/* Says what is wrong, and goes on. */
#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            if (failures++ < 20)                                                                                      \
                fprintf(stderr, "%s:%d: PE %d of %d: wrong: %s\n", __FILE__, __LINE__, me, n, #condition);            \
        }                                                                                                             \
    } while (0)

static inline void begin(void) {
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    prev = (me + n - 1) % n;
}

static inline int end(void) {
    shmem_barrier_all();
    shmem_finalize();
    return failures != 0;
}

/* Small enough for every type. */
#define VALUE(TYPE, pe, i) ((TYPE)((pe)*16 + (i) + 1))

#define RMA24(X)                                                                                                      \
    X(float, float) X(double, double) X(longdouble, long double) X(char, char) X(schar, signed char) X(short, short)  \
    X(int, int) X(long, long) X(longlong, long long) X(uchar, unsigned char) X(ushort, unsigned short)                \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int8, int8_t)                    \
    X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t)   \
    X(uint64, uint64_t) X(size, size_t) X(ptrdiff, ptrdiff_t)
#if HAS_1_5
#define AMO12(X)                                                                                                      \
    X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned int) X(ulong, unsigned long)                    \
    X(ulonglong, unsigned long long) X(int32, int32_t) X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t)      \
    X(size, size_t) X(ptrdiff, ptrdiff_t)
#define P2P14(X) AMO12(X) X(short, short) X(ushort, unsigned short)
#else
/* As far as Open MPI 4.1 has them. */
#define AMO12(X)                                                                                                      \
    X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned int) X(ulong, unsigned long)                    \
    X(ulonglong, unsigned long long)
#define P2P14(X) AMO12(X) X(short, short) X(ushort, unsigned short)
#endif
#define XAMO14(X) AMO12(X) X(float, float) X(double, double)
#define BAMO7(X)                                                                                                      \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int32, int32_t)                  \
    X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t)
#define BITS14(X)                                                                                                     \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long)                   \
    X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t)            \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)

#endif
