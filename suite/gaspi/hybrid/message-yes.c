/* {"RACE_KIND": "remote", "RACE_PAIR": ["gaspi_write@20", "LOAD@28"], "NPROCS": 2, "DESCRIPTION": "a message orders, and completes nothing"} */
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

    if (me == 0) {
        x[0] = 5;
        gaspi_write(0, 0, 1, 0, 64, 8, 0, GASPI_BLOCK);
        gaspi_wait(0, GASPI_BLOCK);
    }
    if (me == 0)
        MPI_Send(&seen, 1, MPI_LONG, 1, 5, MPI_COMM_WORLD);
    else
        MPI_Recv(&seen, 1, MPI_LONG, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == 1)
        seen = x[8];
    MPI_Barrier(MPI_COMM_WORLD);

    printf("%d %ld\n", me, seen);
    gaspi_proc_term(GASPI_BLOCK);
    MPI_Finalize();
    return 0;
}
