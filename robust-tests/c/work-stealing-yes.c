// robust: yes
// from: Work stealing from one deque (Arora, Blumofe and Plaxton 1998); data-structures/work-stealing-yes.pgas
// why: The owner publishes by local stores, which are in order; all else is blocking.
#include <shmem.h>

#define TASKS 1

// The deque of process 0: tasks from bottom to top are there to take.
static int tasks[TASKS];
static int top, bottom;

static void push(int task) {
    tasks[bottom] = task;
    bottom = bottom + 1;
}

static int steal(void) {
    int first = shmem_int_atomic_fetch(&top, 0);
    if (first >= shmem_int_atomic_fetch(&bottom, 0))
        return 0;
    int task = shmem_int_g(&tasks[first], 0);
    if (shmem_int_atomic_compare_swap(&top, first, first + 1, 0) != first)
        return 0;
    return task;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    (void)n;
    if (me == 0)
        push(7);
    else
        steal();
    shmem_finalize();
    return 0;
}
