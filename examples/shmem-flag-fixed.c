/* Two PEs: the first puts a line of values and then sets a flag; the second waits for the flag, adds the values up
 * and answers. shmem_fence orders the values before the flag. */
#include <shmem.h>
#include <stdio.h>

double line[8];
long ready = 0;
long added = 0;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    shmem_barrier_all();
    if (me == 0) {
        double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        shmem_double_put(line, values, 8, 1);
        shmem_fence();
        shmem_long_atomic_set(&ready, 1, 1);
        shmem_long_wait_until(&added, SHMEM_CMP_EQ, 1);
    } else if (me == 1) {
        double sum = 0;
        shmem_long_wait_until(&ready, SHMEM_CMP_EQ, 1);
        for (int i = 0; i < 8; i++)
            sum += line[i];
        printf("sum %g\n", sum);
        shmem_long_atomic_set(&added, 1, 0);
    }
    shmem_finalize();
    return 0;
}
