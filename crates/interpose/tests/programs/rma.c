// All windows, communication calls and synchronisation calls of MPI-4.1 chapter 12, on any number of processes >= 2.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, size, flag, ok = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int x = 10 + rank, y = -1, c = 0;
    MPI_Info info;
    MPI_Win win;

    // create, fence, all communication calls
    static int memory[64];
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Win_create(memory, sizeof memory, rank % 2 ? 1 : sizeof(int), info, MPI_COMM_WORLD, &win);
    MPI_Info_free(&info);
    MPI_Win_set_name(win, "first");
    MPI_Aint unit = right % 2 ? sizeof(int) : 1;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, win);
    MPI_Put(&x, 1, MPI_INT, right, 1 * unit, 1, MPI_INT, win);
    MPI_Put(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOPUT, win);
    MPI_Get(&y, 1, MPI_INT, right, 1 * unit, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    ok &= y == x;

    // lock_all, flush, accumulates
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Accumulate(&x, 1, MPI_INT, right, 2 * unit, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(right, win);
    MPI_Get_accumulate(&x, 1, MPI_INT, &y, 1, MPI_INT, right, 2 * unit, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush_local(right, win);
    ok &= y == x;
    MPI_Fetch_and_op(NULL, &y, MPI_INT, right, 2 * unit, MPI_NO_OP, win);
    MPI_Win_flush_all(win);
    ok &= y == x;
    MPI_Compare_and_swap(&c, &x, &y, MPI_INT, right, 2 * unit, win);
    MPI_Win_flush_local_all(win);
    ok &= y == x;
    MPI_Win_sync(win);
    MPI_Request r[4];
    MPI_Rput(&x, 1, MPI_INT, right, 3 * unit, 1, MPI_INT, win, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Raccumulate(&x, 1, MPI_INT, right, 4 * unit, 1, MPI_INT, MPI_MAX, win, &r[0]);
    MPI_Waitall(1, r, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(win);
    MPI_Rget(&y, 1, MPI_INT, right, 3 * unit, 1, MPI_INT, win, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    ok &= y == x;
    MPI_Rget_accumulate(&x, 1, MPI_INT, &y, 1, MPI_INT, right, 4 * unit, 1, MPI_INT, MPI_SUM, win, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    ok &= y == x;
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    MPI_Get(&y, 1, MPI_INT, right, 4 * unit, 1, MPI_INT, win);
    MPI_Win_unlock(right, win);
    ok &= y == 2 * x;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, left, MPI_MODE_NOCHECK, win);
    MPI_Win_unlock(left, win);
    MPI_Win_free(&win);

    // allocate, post-start-complete-wait
    MPI_Group world, to, from;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &right, &to);
    MPI_Group_incl(world, 1, &left, &from);
    int *base;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_post(from, MPI_MODE_NOSTORE, win);
    MPI_Win_start(to, 0, win);
    MPI_Put(&x, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    ok &= base[0] == 10 + left;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Win_complete(win);
    do MPI_Win_test(win, &flag); while (!flag);
    MPI_Win_free(&win);

    // shared
    MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_free(&win);

    // dynamic
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);

    printf("%d: %s\n", rank, ok ? "right" : "wrong");
    // Rank 0 fails last: Open MPI kills the others when a process ends with another status than 0.
    int pid = getpid(), pids[64];
    MPI_Gather(&pid, 1, MPI_INT, pids, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank != 0)
        return 0;
    for (int other = 1; other < size; other++)
        for (int wait = 0; wait < 2000 && kill(pids[other], 0) == 0; wait++)
            usleep(5000);
    return 5;
}
