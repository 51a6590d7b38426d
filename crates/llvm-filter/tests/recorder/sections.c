/* Sections in a team of one: each is announced where it begins, and nothing else is.
 * An OpenMP runtime of one thread stands below; it prints what it is told. */
#include <stdio.h>

static int scratch;

static void part(int number)
{
    switch (number) {
    case 1:
        scratch = 1;
        break;
    case 2:
        scratch = 2;
        break;
    }
    printf(" %d", number);
}

int main(void)
{
    int kept = 0;
#pragma omp parallel
    {
#pragma omp sections lastprivate(kept)
        {
            part(1);
#pragma omp section
            part(2);
#pragma omp section
            {
                kept = 3;
                part(kept);
            }
        }
#pragma omp for
        for (int i = 4; i < 6; i++)
            part(i);
#pragma omp sections nowait
        {
#pragma omp section
            part(6);
        }
    }
#pragma omp parallel sections
    {
        part(7);
#pragma omp section
        part(8);
    }
    printf(" %d\n", kept);
    return 0;
}

void __kmpc_fork_call(void *place, int variables, void (*body)(int *, int *, void *), void *variable)
{
    (void)place, (void)variables;
    int thread = 0;
    body(&thread, &thread, variable);
}

/* The one thread gets all. */
void __kmpc_for_static_init_4(void *place, int thread, int schedule, int *last, int *lower, int *upper, int *stride,
                              int increment, int chunk)
{
    (void)place, (void)thread, (void)schedule, (void)increment, (void)chunk;
    *last = 1;
    *stride = *upper - *lower + 1;
    printf(" (");
}

void __kmpc_for_static_fini(void *place, int thread) { (void)place, (void)thread, printf(" )"); }
int __kmpc_global_thread_num(void *place) { return (void)place, 0; }
void __kmpc_barrier(void *place, int thread) { (void)place, (void)thread; }
void __farside_section(void) { printf(" section"); }
