/* What passes and combines `long double` values: Rust has no such type. The ABI passes them in memory and returns them
 * in st(0) on x86-64, and in vector registers on aarch64; here the C compiler knows. The exported functions of the same
 * names jump here (src/long_double.rs). */
#include <stddef.h>

extern void farside_shmem_put_long_double(void *ctx, long double *dest, const long double *source, int pe, int is_ctx);
extern void farside_shmem_get_long_double(void *ctx, long double *dest, const long double *source, int pe, int is_ctx);

void farside_shmem_p(long double *dest, long double value, int pe);
void farside_shmem_ctx_p(void *ctx, long double *dest, long double value, int pe);
long double farside_shmem_g(const long double *source, int pe);
long double farside_shmem_ctx_g(void *ctx, const long double *source, int pe);
void farside_shmem_combine_long_double(int operation, long double *to, const long double *from, size_t count);

void farside_shmem_p(long double *dest, long double value, int pe) {
    farside_shmem_put_long_double(NULL, dest, &value, pe, 0);
}

void farside_shmem_ctx_p(void *ctx, long double *dest, long double value, int pe) {
    farside_shmem_put_long_double(ctx, dest, &value, pe, 1);
}

long double farside_shmem_g(const long double *source, int pe) {
    long double value = 0;
    farside_shmem_get_long_double(NULL, &value, source, pe, 0);
    return value;
}

long double farside_shmem_ctx_g(void *ctx, const long double *source, int pe) {
    long double value = 0;
    farside_shmem_get_long_double(ctx, &value, source, pe, 1);
    return value;
}

/* operation: 0 minimum, 1 maximum, 2 sum, 3 product. */
void farside_shmem_combine_long_double(int operation, long double *to, const long double *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        switch (operation) {
        case 0: to[i] = from[i] < to[i] ? from[i] : to[i]; break;
        case 1: to[i] = from[i] > to[i] ? from[i] : to[i]; break;
        case 2: to[i] += from[i]; break;
        default: to[i] *= from[i]; break;
        }
    }
}
