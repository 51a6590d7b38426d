/* Parts of local variables whose address others know: LLVM 19's sanitizer is silent about all but the first. The same bytes
 * twice: once of a local variable, once of the arena. */
#include "recorder.h"

#include <stdlib.h>

struct shape { char kind; int sides; double at[2]; };

#define BODY                                                                    \
    cells[2] = n;                                                               \
    cells[3] += cells[7];                                                       \
    for (int i = 0; i < n; i++)                                                 \
        cells[20 + i] += 1;                                                     \
    struct shape *shape = (struct shape *)(cells + 400);                        \
    shape->sides = n;                                                           \
    shape->at[n & 1] = 2;                                                       \
    if (n > 3)                                                                  \
        cells[n] = cells[500 + n];                                              \
    synchronise();                                                              \
    cells[9] = 1

__attribute__((noinline)) static void local(int n)
{
    int cells[1024] __attribute__((aligned(4096)));
    lend((char *)cells);
    BODY;
    lend(arena);
}

__attribute__((noinline)) static void global(int n)
{
    int *volatile start = (int *)arena;
    int *cells = start;
    BODY;
    lend(arena);
}

int main(int argc, char **argv)
{
    int n = argc > 3 ? atoi(argv[3]) : 0;
    watch(atoi(argv[1]), atoi(argv[2]));
    local(n);
    synchronise();
    global(n);
    synchronise();
    return 0;
}
