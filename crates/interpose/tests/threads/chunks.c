/* Chunks of loops, by OpenMP's structure: the same in teams of any size.
 * EXPECT: 10|11 11|12 10|12 9<10 10<13 11<13 12<13
 * EXPECT: 20|21 20<22 21<22 30<31 31<32
 * EXPECT: 40|41 42<43 44<45 46<47
 */
#include "mark.h"
#include <omp.h>

static void one(void)
{
#pragma omp for schedule(dynamic, 1)
    for (int i = 46; i < 48; i++)
        mark(i);
}

int main(void)
{
    begin();
#pragma omp parallel
    {
#pragma omp single
        mark(9);
#pragma omp for schedule(dynamic, 1)
        for (int i = 10; i < 13; i++)
            mark(i);
#pragma omp single
        mark(13);
    }
    /* Two loops without a barrier between them. */
#pragma omp parallel
    {
#pragma omp for schedule(guided) nowait
        for (int i = 20; i < 22; i++)
            mark(i);
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++)
            mark(22);
    }
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int i = 30; i < 33; i++)
#pragma omp ordered
        mark(i);
#pragma omp parallel for schedule(dynamic, 1) if (1)
    for (int i = 40; i < 42; i++)
        mark(i);
    /* The program asks for one thread. */
#pragma omp parallel for schedule(dynamic, 1) if (0)
    for (int i = 42; i < 44; i++)
        mark(i);
#pragma omp parallel for schedule(dynamic, 1) num_threads(1)
    for (int i = 44; i < 46; i++)
        mark(i);
    omp_set_num_threads(1);
#pragma omp parallel
    one();
    end();
    return 0;
}
