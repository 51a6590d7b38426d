// robust: yes
// from: Records at a slot that a ticket gives, beside the ticket and the flags
#include <mpi.h>
typedef struct { long id; long v[3]; } item;
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n; MPI_Comm_rank(MPI_COMM_WORLD, &me); MPI_Comm_size(MPI_COMM_WORLD, &n);
    struct { long next, ready[4]; item box[4]; } *m; MPI_Win win;
    MPI_Win_allocate(sizeof *m, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &win);
    m->next = 0; for (int i = 0; i < 4; i++) m->ready[i] = 0;
    MPI_Win_lock_all(0, win); MPI_Win_sync(win); MPI_Barrier(MPI_COMM_WORLD);
    long one = 1, slot; item it = {me, {1, 2, 3}};
    MPI_Fetch_and_op(&one, &slot, MPI_LONG, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Put(&it, sizeof it, MPI_BYTE, 0, 40 + slot * sizeof it, sizeof it, MPI_BYTE, win);
    MPI_Win_flush(0, win);
    MPI_Accumulate(&one, 1, MPI_LONG, 0, 8 + 8 * slot, 1, MPI_LONG, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    long s = 0;
    if (me == 0) for (int i = 0; i < n; i++) {
        long r = 0;
        while (!r) { MPI_Fetch_and_op(NULL, &r, MPI_LONG, 0, 8 + 8 * i, MPI_NO_OP, win); MPI_Win_flush(0, win); }
        MPI_Win_sync(win);
        if (m->box[i].id >= 0) s += m->box[i].v[0] + m->box[i].v[2];
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return s < 0;
}
