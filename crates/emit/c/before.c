/* Litmus tests as a program: every test again and again, each process on a rank of its own, with random small delays
   between its statements. Usage: PROGRAM RUNS SEED DELAY [FIRST [LAST]]; the delay is in nanoseconds, tests count
   from 0. Rank 0 prints a histogram a test, in the form of the field's tools, as soon as the test is done. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    /* In words of 8 bytes: every variable has a cache line of its own. */
    STRIDE = 8,
    MOST_VARIABLES = 32,
    MOST_SEEN = 64,
    WARM_UP = 10
};
