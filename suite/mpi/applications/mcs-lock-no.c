/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "a lock of Mellor-Crummey and Scott guards a record"} */
/* The MCS lock of Using Advanced MPI, as a library with attributes, used to guard a shared record. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { BLOCKED = 0, NEXT = 1, TAIL = 2 };
typedef struct { MPI_Win win; int *mem; int me; } mutex_t;
static int mcs_keyval = MPI_KEYVAL_INVALID;
static void mcs_create(MPI_Comm comm, mutex_t *m) {
    MPI_Comm_rank(comm, &m->me);
    if (mcs_keyval == MPI_KEYVAL_INVALID)
        MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &mcs_keyval, NULL);
    MPI_Aint n = 4 * sizeof(int); // a multiple of 16: else MPICH 4.0.2 lets the windows of processes overlap
    MPI_Win_allocate(n, sizeof(int), MPI_INFO_NULL, comm, &m->mem, &m->win);
    MPI_Win_set_attr(m->win, mcs_keyval, (void *)(MPI_Aint)m->me);
    m->mem[NEXT] = -1;
    m->mem[BLOCKED] = 0;
    if (m->me == 0) m->mem[TAIL] = -1;
    MPI_Win_lock_all(0, m->win);
    MPI_Win_sync(m->win);
    MPI_Barrier(comm);
}
static void mcs_acquire(mutex_t *m) {
    int none = -1, one = 1, prev;
    MPI_Accumulate(&none, 1, MPI_INT, m->me, NEXT, 1, MPI_INT, MPI_REPLACE, m->win);
    MPI_Accumulate(&one, 1, MPI_INT, m->me, BLOCKED, 1, MPI_INT, MPI_REPLACE, m->win);
    MPI_Win_flush(m->me, m->win);
    MPI_Fetch_and_op(&m->me, &prev, MPI_INT, 0, TAIL, MPI_REPLACE, m->win);
    MPI_Win_flush(0, m->win);
    if (prev != -1) {
        int wait;
        MPI_Accumulate(&m->me, 1, MPI_INT, prev, NEXT, 1, MPI_INT, MPI_REPLACE, m->win);
        MPI_Win_flush(prev, m->win);
        do {
            MPI_Fetch_and_op(NULL, &wait, MPI_INT, m->me, BLOCKED, MPI_NO_OP, m->win);
            MPI_Win_flush(m->me, m->win);
        } while (wait);
    }
}
static void mcs_release(mutex_t *m) {
    int none = -1, zero = 0, seen, next;
    MPI_Compare_and_swap(&none, &m->me, &seen, MPI_INT, 0, TAIL, m->win);
    MPI_Win_flush(0, m->win);
    if (seen != m->me) {
        do {
            MPI_Fetch_and_op(NULL, &next, MPI_INT, m->me, NEXT, MPI_NO_OP, m->win);
            MPI_Win_flush(m->me, m->win);
        } while (next == -1);
        MPI_Accumulate(&zero, 1, MPI_INT, next, BLOCKED, 1, MPI_INT, MPI_REPLACE, m->win);
        MPI_Win_flush(next, m->win);
    }
}
static void mcs_free(mutex_t *m) {
    MPI_Win_unlock_all(m->win);
    MPI_Win_free(&m->win);
}
struct account { long balance; int last; int moves; };
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    mutex_t m;
    mcs_create(MPI_COMM_WORLD, &m);
    MPI_Win win;
    struct account *a;
    MPI_Win_allocate(m.me == 0 ? sizeof *a : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &a, &win);
    if (m.me == 0) memset(a, 0, sizeof *a);
    MPI_Win_lock_all(0, win);
    if (m.me == 0) MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 5; i++) {
        struct account mine;
        mcs_acquire(&m);
        MPI_Get(&mine, sizeof mine, MPI_BYTE, 0, 0, sizeof mine, MPI_BYTE, win);
        MPI_Win_flush(0, win);
        mine.balance += 10 * (m.me + 1);
        mine.last = m.me;
        mine.moves++;
        MPI_Put(&mine, sizeof mine, MPI_BYTE, 0, 0, sizeof mine, MPI_BYTE, win);
        MPI_Win_flush(0, win);
        mcs_release(&m);
    }
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (m.me == 0) {
        MPI_Win_sync(win);
        printf("balance %ld after %d moves\n", a->balance, a->moves);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    mcs_free(&m);
    MPI_Finalize();
}
