/* Vectors are wider than any callback of the sanitizer, which is silent about them. The same bytes twice: once as vectors,
 * once as numbers. */
#include "recorder.h"

#include <stdlib.h>

typedef double wide __attribute__((vector_size(32), aligned(8)));

__attribute__((noinline)) static void vectors(int n, const int *first)
{
    for (int i = 0; i < n; i++)
        ((wide *)arena)[i] += 1;
    /* Not a loop, and at the end of a page. */
    ((wide *)(arena + 5 * 4096 - 16))[*first] += 1;
}

__attribute__((noinline)) static void numbers(int n, const int *first)
{
    for (int i = 0; i < 4 * n; i++)
        ((double *)arena)[i] += 1;
    for (int i = 0; i < 4; i++)
        ((double *)(arena + 5 * 4096 - 16))[4 * *first + i] += 1;
}

int main(int argc, char **argv)
{
    int n = argc > 3 ? atoi(argv[3]) : 0, first = argc - 4;
    watch(atoi(argv[1]), atoi(argv[2]));
    vectors(n, &first);
    synchronise();
    numbers(n, &first);
    synchronise();
    return 0;
}
