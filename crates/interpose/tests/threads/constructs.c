/* Every construct of OpenMP that orders, with two threads.
 * EXPECT: 1<2 2<3
 * EXPECT: 10<11 12|12
 * EXPECT: 20<21 22<23
 * EXPECT: 30<31 31|33
 * EXPECT: 40<41 42<43
 * EXPECT: 50<51
 * EXPECT: 60|61
 * EXPECT: 70<72 72<71 74<75
 * EXPECT: 76<77
 * EXPECT: 80<81
 * EXPECT: 90<91 90<92 93<94
 * EXPECT: 100<101
 */
#include "mark.h"
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    begin();
    omp_set_num_threads(2);
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_nest_lock_t nest_lock;
    omp_init_nest_lock(&nest_lock);

    mark(1);
#pragma omp parallel
    mark(2);
    mark(3);

#pragma omp parallel
    {
        mark(10);
#pragma omp barrier
        mark(11);
#pragma omp barrier
        mark(12);
    }

#pragma omp parallel
    {
        int copied = 0;
#pragma omp for
        for (int i = 0; i < 4; i++)
            mark(20);
        mark(21);
#pragma omp single copyprivate(copied)
        {
            mark(22);
            copied = 5;
        }
        mark(23);
        if (copied != 5)
            abort();
    }

#pragma omp parallel
    if (omp_get_thread_num() == 0) {
#pragma omp critical(name)
        mark(30);
        mark(33);
    } else {
        after(30);
#pragma omp critical(name)
        mark(31);
    }

#pragma omp parallel
    if (omp_get_thread_num() == 0) {
        omp_set_lock(&lock);
        mark(40);
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest_lock);
        mark(42);
        omp_unset_nest_lock(&nest_lock);
    } else {
        after(40);
        omp_set_lock(&lock);
        mark(41);
        omp_unset_lock(&lock);
        after(42);
        while (!omp_test_nest_lock(&nest_lock))
            ;
        mark(43);
        omp_unset_nest_lock(&nest_lock);
    }

#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        mark(50 + i);
    }

#pragma omp parallel sections
    {
#pragma omp section
        {
            mark(60);
            nap(20);
        }
#pragma omp section
        {
            nap(10);
            mark(61);
        }
    }

#pragma omp parallel
#pragma omp single
    {
        mark(70);
#pragma omp task
        {
            mark(72);
            nap(20);
        }
        nap(10);
#pragma omp taskwait
        mark(71);
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp task
                {
                    nap(20);
                    mark(74);
                }
            }
            nap(5);
        }
        mark(75);
        int variable;
#pragma omp task depend(out : variable)
        {
            nap(10);
            mark(76);
        }
#pragma omp task depend(in : variable)
        mark(77);
        nap(20);
#pragma omp task
        {
            nap(20);
            mark(80);
        }
    }
    mark(81);

#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            mark(90);
#pragma omp task
            mark(91);
        }
#pragma omp barrier
        mark(92);
#pragma omp single nowait
        {
#pragma omp taskloop
            for (int i = 0; i < 4; i++) {
                if (i < 0 || i > 3)
                    abort();
                mark(93);
            }
            mark(94);
        }
    }

#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
        mark(100 + i);
#pragma omp ordered depend(source)
    }
    end();
    return 0;
}
