// Every atomic operation of every width gives what C11 says. Prints nothing but the last line.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned __int128 uint128_t;

static int failed;

static void check(int right, const char *type, const char *what) {
    if (!right) {
        printf("%s: wrong %s\n", type, what);
        failed = 1;
    }
}

#define C(condition) check(condition, type, #condition)

// `HIGH` sets the highest bit, so that a result cut to a smaller width is noticed.
#define WIDTH(T)                                                                                  \
    static void width_##T(void) {                                                                 \
        const char *type = #T;                                                                    \
        const T HIGH = (T)((T)1 << (8 * sizeof(T) - 1)), A = HIGH | 0x35, B = HIGH | 0x53;        \
        static struct { _Alignas(16) T before, at, after; } memory;                               \
        T *p = &memory.at, expected;                                                              \
        p = (T *)(((uintptr_t)p + sizeof(T) - 1) & ~(sizeof(T) - 1));                             \
        memory.before = memory.after = 77;                                                        \
        __atomic_store_n(p, A, __ATOMIC_SEQ_CST);                                                 \
        C(__atomic_load_n(p, __ATOMIC_ACQUIRE) == A);                                             \
        __atomic_store_n(p, B, __ATOMIC_RELEASE);                                                 \
        C(__atomic_load_n(p, __ATOMIC_RELAXED) == B);                                             \
        C(__atomic_exchange_n(p, A, __ATOMIC_ACQ_REL) == B && *p == A);                           \
        C(__atomic_fetch_add(p, B, __ATOMIC_SEQ_CST) == A && *p == (T)(A + B));                   \
        C(__atomic_fetch_sub(p, B, __ATOMIC_SEQ_CST) == (T)(A + B) && *p == A);                   \
        C(__atomic_fetch_and(p, B, __ATOMIC_SEQ_CST) == A && *p == (A & B));                      \
        C(__atomic_fetch_or(p, A, __ATOMIC_SEQ_CST) == (A & B) && *p == A);                       \
        C(__atomic_fetch_xor(p, B, __ATOMIC_SEQ_CST) == A && *p == (A ^ B));                      \
        *p = A;                                                                                   \
        C(__atomic_fetch_nand(p, B, __ATOMIC_SEQ_CST) == A && *p == (T) ~(A & B));                \
        *p = A;                                                                                   \
        C(__atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST) == (T)(A + 1));                              \
        *p = A;                                                                                   \
        expected = B;                                                                             \
        C(!__atomic_compare_exchange_n(p, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));  \
        C(expected == A && *p == A);                                                              \
        C(__atomic_compare_exchange_n(p, &expected, B, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));   \
        C(expected == A && *p == B);                                                              \
        expected = B;                                                                             \
        while (!__atomic_compare_exchange_n(p, &expected, A, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {} \
        C(*p == A);                                                                               \
        C(__sync_val_compare_and_swap(p, A, B) == A && *p == B);                                  \
        C(!__sync_bool_compare_and_swap(p, A, 1) && *p == B);                                     \
        C(memory.before == 77 && memory.after == 77);                                             \
    }

WIDTH(uint8_t)
WIDTH(uint16_t)
WIDTH(uint32_t)
WIDTH(uint64_t)
WIDTH(uint128_t)

int main(void) {
    width_uint8_t();
    width_uint16_t();
    width_uint32_t();
    width_uint64_t();
    width_uint128_t();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    puts(failed ? "failed" : "all right");
    return failed;
}
