/* {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Put@45", "MPI_Win_attach@34"], "NPROCS": 2, "DESCRIPTION": "a pointer of two words is published by an accumulate before its memory is attached", "RULE": "unmatched-attach"} */
/* Memory is attached before it is accessed (MPI-4.1 12.2.4); the origin is late, so that it may be so here. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

struct pointer {
    MPI_Aint rank;
    MPI_Aint where;
};

static int cells[16];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct pointer *head;
    MPI_Win heads, list;
    MPI_Win_allocate(sizeof *head, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &head, &heads);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &list);
    MPI_Win_set_errhandler(list, MPI_ERRORS_RETURN);
    head->rank = -1;
    head->where = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, heads);
    MPI_Win_lock_all(0, list);
    if (rank == 1) {
        struct pointer own = { 1, 0 };
        MPI_Get_address(cells, &own.where);
        MPI_Accumulate(&own, sizeof own, MPI_BYTE, 0, 0, sizeof own, MPI_BYTE, MPI_REPLACE, heads);
        MPI_Win_flush(0, heads);
        MPI_Win_attach(list, cells, sizeof cells);
    }
    if (rank == 0) {
        struct pointer found = { -1, 0 };
        int value = 5;
        while (found.rank < 0 || found.where == 0) {
            MPI_Get_accumulate(NULL, 0, MPI_BYTE, &found, sizeof found, MPI_BYTE, 0, 0, sizeof found,
                               MPI_BYTE, MPI_NO_OP, heads);
            MPI_Win_flush(0, heads);
        }
        usleep(50000);
        MPI_Put(&value, 1, MPI_INT, (int)found.rank, MPI_Aint_add(found.where, 8), 1, MPI_INT, list);
        MPI_Win_flush((int)found.rank, list);
    }
    MPI_Win_unlock_all(list);
    MPI_Win_unlock_all(heads);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d done\n", rank);
    if (rank == 1)
        MPI_Win_detach(list, cells);
    MPI_Win_free(&list);
    MPI_Win_free(&heads);
    MPI_Finalize();
    return 0;
}
