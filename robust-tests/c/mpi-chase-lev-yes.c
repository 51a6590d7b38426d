// robust: yes
// why: A deque of one task: the owner makes the bottom known before it looks at the top, and a thief takes by
// compare-and-swap; each operation is complete before the next one.
#include <mpi.h>

enum { TOP, BOTTOM, TASK, CELLS };

static MPI_Win win;
static volatile int *deque;

static int take_top(int top) {
    int next = top + 1, old;
    MPI_Compare_and_swap(&next, &top, &old, MPI_INT, 0, TOP, win);
    MPI_Win_flush(0, win);
    return old == top;
}

static int get(int cell) {
    int value, nothing = 0;
    MPI_Fetch_and_op(&nothing, &value, MPI_INT, 0, cell, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    return value;
}

static void set(int cell, int value) {
    MPI_Accumulate(&value, 1, MPI_INT, 0, cell, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &deque, &win);
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        set(TASK, 7);
        set(BOTTOM, 1);
        int bottom = 0;
        set(BOTTOM, bottom);
        int top = get(TOP);
        if (top == bottom)
            take_top(top);
        set(BOTTOM, 1);
    } else {
        int top = get(TOP);
        int bottom = get(BOTTOM);
        if (top < bottom) {
            int task = get(TASK);
            if (take_top(top))
                set(TASK, task);
        }
    }
    MPI_Win_flush_all(win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
