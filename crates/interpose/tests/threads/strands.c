/* What OpenMP orders and what it does not, by its structure: the same in teams of any size.
 * EXPECT: 1<3 2<3 4<6 5<6 10<13 11<13 12<13
 * EXPECT gcc: 1||2 4||5 50||51
 * EXPECT: 10||11 11||12 10||12
 * EXPECT: 20||21 20||22 21||22 20<23 21<23 22<23 19<20
 * EXPECT: 30<31 33<34 35<36 37||36
 * EXPECT: 40<41 42||42 42<43 44||45
 * EXPECT: 52<53 54<55
 * EXPECT: 60<61 70<71 70<73 72<73
 * EXPECT: 80<81 81<82 90<91 92<93
 * EXPECT: 95<96 97<98 99<100 101||102 102<103 104<105 106||107
 */
#include "mark.h"
#include <omp.h>

static void sections(int first)
{
#pragma omp sections
    {
#pragma omp section
        mark(first);
#pragma omp section
        mark(first + 1);
    }
}

int main(void)
{
    begin();

#pragma omp parallel sections
    {
#pragma omp section
        mark(1);
#pragma omp section
        mark(2);
    }
    mark(3);

#pragma omp parallel
    {
        sections(4);
        mark(6);
#pragma omp for schedule(dynamic, 1)
        for (int i = 10; i < 13; i++)
            mark(i);
        mark(13);
    }

#pragma omp parallel
#pragma omp single
    {
        mark(19);
#pragma omp task
        mark(20);
#pragma omp task
        mark(21);
        mark(22);
#pragma omp taskwait
        mark(23);
    }

    int variable = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : variable)
        mark(30);
#pragma omp task depend(in : variable)
        mark(31);
#pragma omp task if (0)
        mark(33);
        mark(34);
#pragma omp task
        mark(37);
#pragma omp task final(1)
        {
#pragma omp task
            mark(35);
            mark(36);
        }
    }

#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
#pragma omp task
            mark(40);
        }
        mark(41);
#pragma omp taskloop grainsize(1)
        for (int i = 0; i < 3; i++)
            mark(42);
        mark(43);
#pragma omp taskloop grainsize(1) nogroup
        for (int i = 0; i < 3; i++)
            mark(44);
        mark(45);
    }

    /* Nested regions and tasks of tasks. */
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp parallel sections
        {
#pragma omp section
            mark(i == 0 ? 50 : 52);
#pragma omp section
            mark(i == 0 ? 51 : 52);
        }
        if (i == 1)
            mark(53);
    }
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            mark(54);
#pragma omp taskwait
            mark(55);
        }
    }

    /* The part of an iteration after its ordered region. */
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        mark(60 + i);
        if (i == 1)
            mark(62);
    }

    /* Barriers, and the end of a region, wait for tasks. */
#pragma omp parallel
    {
#pragma omp single nowait
        {
#pragma omp task
            mark(70);
        }
#pragma omp barrier
        mark(71);
#pragma omp single nowait
        {
#pragma omp task
            mark(72);
        }
    }
    mark(73);

#pragma omp parallel for ordered(1) schedule(dynamic, 1)
    for (int i = 0; i < 3; i++) {
#pragma omp ordered depend(sink : i - 1)
        mark(80 + i);
#pragma omp ordered depend(source)
    }

    /* The program asks for one thread. */
#pragma omp parallel sections if (0)
    {
#pragma omp section
        mark(90);
#pragma omp section
        mark(91);
    }
#pragma omp parallel sections num_threads(1)
    {
#pragma omp section
        mark(92);
#pragma omp section
        mark(93);
    }

    /* Tasks that another thread may go on with, tasks that wait for theirs, tasks in tasks. */
#pragma omp parallel
#pragma omp single
    {
#pragma omp task untied
        {
            mark(95);
#pragma omp task
            mark(106);
            mark(107);
#pragma omp taskwait
            mark(96);
#pragma omp taskyield
        }
#pragma omp taskloop grainsize(1) nogroup if (0)
        for (int i = 0; i < 2; i++)
            mark(97);
        mark(98);
#pragma omp task final(1)
        {
#pragma omp taskloop nogroup
            for (int i = 0; i < 2; i++)
                mark(99);
            mark(100);
        }
#pragma omp task if (0)
        {
#pragma omp task
            mark(101);
            mark(102);
        }
        mark(103);
#pragma omp taskwait
        mark(104);
    }
#pragma omp parallel
#pragma omp single
    {
#pragma omp task if (0)
        mark(104);
#pragma omp task
        mark(105);
    }
    end();
    return 0;
}
