/* Order that OpenMP gives, and order that it does not give although things happened one after the other.
 * EXPECT: 1|2 3|4 5|6
 * EXPECT: 9<7 9<8 7|8 7<10 8<10
 * EXPECT: 11|12 11<13 15<16
 * EXPECT: 30<31 30<32 31<33 32<33 31|32
 * EXPECT: 20|21 22<23
 * EXPECT: 40<41 41|42
 * EXPECT: 50<51 60<61 70<71 72<73
 * EXPECT: 80<81 82<83 82<84
 */
#include "mark.h"
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    begin();
    omp_set_num_threads(2);
    omp_set_max_active_levels(3);

#pragma omp parallel
    if (omp_get_thread_num() == 0) {
        mark(1);
    } else {
        nap(30);
        mark(2);
    }

    /* What the creator does after the creation, and the task. */
#pragma omp parallel
#pragma omp master
    {
#pragma omp task
        {
            nap(30);
            mark(4);
        }
        nap(10);
        mark(3);
        nap(50);
    }

    /* Two tasks. */
#pragma omp parallel
#pragma omp single nowait
    {
#pragma omp task
        {
            mark(5);
            nap(40);
        }
#pragma omp task
        {
            nap(20);
            mark(6);
            nap(30);
        }
    }

    int variable = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : variable)
        {
            nap(10);
            mark(9);
        }
#pragma omp task depend(in : variable)
        {
            mark(7);
            nap(40);
        }
#pragma omp task depend(in : variable)
        {
            nap(20);
            mark(8);
            nap(20);
        }
#pragma omp task depend(inout : variable)
        mark(10);
    }

    /* Two inner teams at the same time. */
#pragma omp parallel
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            mark(outer ? 11 : 12);
            nap(20);
#pragma omp barrier
            mark(outer ? 15 : 14);
#pragma omp barrier
            if (outer)
                mark(16);
            nap(outer * 20 + 1);
        }
        if (outer)
            mark(13);
#pragma omp parallel num_threads(2)
        {
            mark(18);
#pragma omp barrier
        }
    }

#pragma omp parallel for ordered(2) collapse(2) schedule(static, 1)
    for (int i = 1; i < 3; i++)
        for (int j = 1; j < 3; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            mark(27 + 2 * j + i);
            nap(20);
#pragma omp ordered depend(source)
        }

    /* A taskwait does not wait for grandchildren. */
#pragma omp parallel
#pragma omp single nowait
    {
#pragma omp task
        {
#pragma omp task
            {
                nap(60);
                mark(20);
                nap(20);
            }
            mark(22);
        }
#pragma omp taskwait
        mark(21);
        mark(23);
        nap(100);
    }

    /* The part of an iteration after its ordered region. */
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            nap(20);
#pragma omp ordered
        mark(40 + i);
        if (i == 0) {
            nap(40);
            mark(42);
        }
    }

#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : variable)
        {
            nap(10);
            mark(50);
        }
#pragma omp task depend(in : variable) if (0)
        mark(51);
#pragma omp task depend(mutexinoutset : variable)
        {
            mark(60);
            nap(20);
        }
        nap(10);
#pragma omp task depend(in : variable)
        mark(61);
#pragma omp task depend(out : variable)
        {
            nap(10);
            mark(70);
        }
#pragma omp taskwait depend(in : variable)
        mark(71);
        omp_depend_t object;
#pragma omp depobj(object) depend(inout : variable)
#pragma omp task depend(depobj : object)
        {
            nap(10);
            mark(72);
        }
#pragma omp task depend(depobj : object)
        mark(73);
#pragma omp taskwait
#pragma omp depobj(object) destroy
    }

    /* Tasks that run in the barrier at the end of a region, and in an explicit one. */
#pragma omp parallel
    if (omp_get_thread_num() == 0)
        for (int i = 0; i < 4; i++) {
#pragma omp task
            {
                nap(5);
                mark(80);
            }
        }
    mark(81);
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            for (int i = 0; i < 4; i++) {
#pragma omp task
                {
                    nap(5);
                    mark(82);
                }
            }
#pragma omp barrier
        mark(83);
    }
    mark(84);

    /* These need only go on working. */
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
        int done = 0;
#pragma omp task detach(event) shared(done)
        done = 1;
        omp_fulfill_event(event);
#pragma omp taskwait
        if (!done)
            abort();
    }
    int last = 0;
#pragma omp target map(tofrom : last)
    last = 1;
#pragma omp parallel sections lastprivate(last)
    {
#pragma omp section
        last = 2;
#pragma omp section
        last = 3;
    }
    if (last != 3)
        abort();
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
    mark(90);
    end();
    return 0;
}
