/* What one thread frees and another allocates.
 * EXPECT: 1<2 1<3 4|5
 */
#include "mark.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Too large to stay with the thread that frees it: whoever asks next gets it. */
enum { SIZE = 5000 };

static char *block, *kept;

static void *gives_back(void *argument)
{
    block[0] = 1;
    mark(1);
    free(block);
    mark(6);
    return argument;
}

static void *keeps(void *argument)
{
    after(3);
    mark(4);
    free(kept);
    nap(20);
    return argument;
}

int main(void)
{
    pthread_t giver, keeper;
    begin();
    block = malloc(SIZE);
    char *between = malloc(64);
    kept = malloc(SIZE);
    char *last = malloc(64);
    pthread_create(&giver, NULL, gives_back, NULL);
    pthread_create(&keeper, NULL, keeps, NULL);
    after(6);
    char *got = malloc(SIZE);
    if (got != block)
        printf("malloc gave other memory: %p, not %p\n", (void *)got, (void *)block);
    mark(2);
    free(got);
    got = realloc(NULL, SIZE);
    mark(3);
    after(4);
    nap(10);
    /* Memory of its own: what the other freed lies elsewhere. */
    char *other = malloc(200);
    mark(5);
    pthread_join(giver, NULL);
    pthread_join(keeper, NULL);
    free(other);
    free(got);
    free(between);
    free(last);
    end();
}
