// robust: yes
// from: Ticket lock at process 0; locks/ticket-quiet-yes.pgas
// why: The put of the critical section is complete before the next ticket is served.
#include <mpi.h>

struct lock {
    int next;
    int serving;
    int count;
};

#define AT(member) ((MPI_Aint)__builtin_offsetof(struct lock, member))

static MPI_Win win;

static int fetch(MPI_Aint at, int add) {
    int old;
    MPI_Fetch_and_op(&add, &old, MPI_INT, 0, at, add == 0 ? MPI_NO_OP : MPI_SUM, win);
    MPI_Win_flush(0, win);
    return old;
}

static void acquire(void) {
    int ticket = fetch(AT(next), 1);
    while (fetch(AT(serving), 0) != ticket)
        ;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    (void)n;
    (void)me;
    struct lock *lock;
    MPI_Win_allocate(sizeof *lock, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &lock, &win);
    lock->next = lock->serving = lock->count = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    acquire();
    int count;
    MPI_Get(&count, 1, MPI_INT, 0, AT(count), 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    count++;
    MPI_Put(&count, 1, MPI_INT, 0, AT(count), 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    fetch(AT(serving), 1);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
