/* Loops with a static schedule, and `single`, by OpenMP's structure as the plugins of `farside cc` tell it: the same in
 * teams of any size.
 * EXPECT: 9<10 10||11 11||12 10||12 10<13 12<13
 * EXPECT: 20<21 22<23 20||22 21||23 20||23 23<24
 * EXPECT: 30<34 31<35 32<36 30||35 31||34 31||36 32||34
 * EXPECT: 40<44 41||45 40||46 50<54 51<55 50||55 51||54 56||57
 * EXPECT: 60||61 61||62 60<63 62<63 64<65 66||67
 * EXPECT: 70||71 71||72 72||73 70||73 74||75 75||76 77||78 78||79
 * EXPECT: 80<81 82||83 83||84 80<82 85||86 86<87 88<89
 * EXPECT: 100<101 101<102
 * EXPECT: 90||91 91||92 90<93 92<93 94||95 95||96 97||98
 */
#include "mark.h"
#include <omp.h>

static long limit = 3;

int main(void)
{
    begin();
#pragma omp parallel
    {
#pragma omp single
        mark(9);
#pragma omp for
        for (int i = 10; i < 13; i++)
            mark(i);
#pragma omp single
        mark(13);
#pragma omp for schedule(static, 2)
        for (int i = 20; i < 24; i++)
            mark(i);
#pragma omp single
        mark(24);
    }

    /* Without a barrier between them: as many iterations, other iterations, chunks that the program gives. */
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 3; i++)
            mark(30 + i);
#pragma omp for schedule(static)
        for (unsigned i = 9; i > 3; i -= 2)
            mark(34 + (9 - (int) i) / 2);
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 3; i++)
            mark(40 + i);
#pragma omp for schedule(static)
        for (int i = 0; i < 4; i++)
            mark(44 + i);
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 3; i++)
            mark(50 + i);
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 2; i++)
            mark(54 + i);
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 3; i++)
            if (i == 0)
                mark(56);
#pragma omp for schedule(static, 2)
        for (int i = 0; i < 3; i++)
            if (i == 2)
                mark(57);
    }

    /* `single`: whoever comes first, which is one thread for two of them or not. */
#pragma omp parallel
    {
#pragma omp single nowait
        mark(60);
#pragma omp single nowait
        mark(61);
#pragma omp single
        mark(62);
#pragma omp single
        {
            mark(63);
            mark(64);
        }
#pragma omp single nowait
        mark(65);
#pragma omp single
        {
#pragma omp task
            mark(66);
            mark(67);
        }
    }

    /* Several dimensions, other steps, other types. */
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 2; i++)
        for (long j = 0; j < limit - 1; j++)
            mark(70 + 2 * i + (int) j);
#pragma omp parallel for schedule(static)
    for (int i = 76; i >= 74; i--)
        mark(i);
#pragma omp parallel for
    for (unsigned long long i = 77; i < 77 + (unsigned long long) limit; i++)
        mark((int) i);

    /* What the primary thread does alone is ordered, whichever thread the compiler asks for. */
#pragma omp parallel
    {
#pragma omp master
        mark(80);
#pragma omp master
        mark(81);
#pragma omp barrier
#pragma omp for
        for (int i = 82; i < 85; i++)
            mark(i);
#pragma omp for schedule(dynamic, 1)
        for (int i = 85; i < 87; i++)
            mark(i);
#pragma omp master
        mark(87);
    }
#pragma omp parallel for if (0)
    for (int i = 88; i < 90; i++)
        mark(i);

    int last = 0, sum = 0;
#pragma omp parallel for lastprivate(last) reduction(+ : sum)
    for (int i = 90; i < 93; i++) {
        mark(i);
        last = i;
        sum += i;
    }
    mark(last == 92 && sum == 273 ? 93 : 0);

    /* The address of the variable is taken, and a region stands in an iteration. */
#pragma omp parallel for
    for (int i = 94; i < 97; i++) {
        int *volatile address = &i;
        mark(*address);
#pragma omp parallel for
        for (int j = 97; j < 99; j++)
            if (i == 94)
                mark(j);
    }

    /* The program asks for its thread, and uses what is that thread's own. */
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < 3 * omp_get_num_threads(); i++)
            if (thread == 0)
                mark(100 + i);
    }
    end();
    return 0;
}
