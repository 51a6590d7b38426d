/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a fence completes the put before the write"} */
/* MPI-4.1 and GASPI 17.1, 5.6. */
#include <GASPI.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    gaspi_proc_init(GASPI_BLOCK);
    gaspi_rank_t me;
    gaspi_pointer_t memory;
    gaspi_proc_rank(&me);
    gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &memory);
    long *x = memory, seen = 0;
    MPI_Win win;
    MPI_Win_create(x, 4096, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Win_fence(0, win);
    if (me == 0)
        MPI_Put(x, 1, MPI_LONG, 1, 8, 1, MPI_LONG, win);
    MPI_Win_fence(0, win);
    if (me == 0) {
        gaspi_write(0, 8, 1, 0, 64, 8, 0, GASPI_BLOCK);
        gaspi_notify(0, 1, 3, 1, 0, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
    } else {
        gaspi_notification_id_t id;
        gaspi_notification_t value;
        gaspi_notify_waitsome(0, 3, 1, &id, GASPI_BLOCK);
        gaspi_notify_reset(0, id, &value);
    }
    MPI_Win_fence(0, win);
    if (me == 1)
        seen = x[8];

    MPI_Win_free(&win);
    printf("%d %ld\n", me, seen);
    gaspi_proc_term(GASPI_BLOCK);
    MPI_Finalize();
    return 0;
}
