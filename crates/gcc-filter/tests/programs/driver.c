/* Calls what is written in another language. */
#include "recorder.h"

#include <stdlib.h>

void run(int *arena, double *doubles, int n);

int main(int argc, char **argv)
{
    int n = argc > 3 ? atoi(argv[3]) : 0;
    watch(atoi(argv[1]), atoi(argv[2]));
    run((int *)arena, (double *)arena, n);
    synchronise();
    return 0;
}
