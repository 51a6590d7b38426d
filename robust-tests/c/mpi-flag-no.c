// robust: no
// from: The same without a flush
// why: Puts of one process are in no order.
#include <mpi.h>

struct memory {
    double data;
    int flag;
};

#define AT(member) ((MPI_Aint)__builtin_offsetof(struct memory, member))

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    (void)n;
    struct memory *memory;
    MPI_Win win;
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory->data = 0;
    memory->flag = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        double value = 5;
        int one = 1;
        MPI_Put(&value, 1, MPI_DOUBLE, 1, AT(data), 1, MPI_DOUBLE, win);
        MPI_Put(&one, 1, MPI_INT, 1, AT(flag), 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    } else if (me == 1) {
        while (*(volatile int *)&memory->flag == 0)
            MPI_Win_sync(win);
        volatile double got = memory->data;
        (void)got;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
