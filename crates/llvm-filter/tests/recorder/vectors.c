/* Vectors are wider than any callback of the sanitizer, which is silent about them. The same bytes twice: once as vectors,
 * once as numbers. */
#include "recorder.h"

#include <stdlib.h>

typedef double wide __attribute__((vector_size(32)));

__attribute__((noinline)) static void vectors(int n)
{
    for (int i = 0; i < n; i++)
        ((wide *)arena)[i] += 1;
}

__attribute__((noinline)) static void numbers(int n)
{
    for (int i = 0; i < 4 * n; i++)
        ((double *)arena)[i] += 1;
}

int main(int argc, char **argv)
{
    int n = argc > 3 ? atoi(argv[3]) : 0;
    watch(atoi(argv[1]), atoi(argv[2]));
    vectors(n);
    synchronise();
    numbers(n);
    synchronise();
    return 0;
}
