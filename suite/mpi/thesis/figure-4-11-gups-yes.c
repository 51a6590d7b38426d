/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@26", "STORE@23"], "FURTHER_PAIRS": [["MPI_Put@26", "STORE@25"]], "NPROCS": 2, "DESCRIPTION": "aggregated updates: a row is filled again while its put reads it, as no mode flushes"} */
/* An else is missing: without a mode nothing completes the put (Ait Kaci 2022, Figure 4.11). */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { A = 2, BATCH = 8 };

static int flush_mode = 0, flush_local_mode = 0;

int main(int argc, char **argv)
{
    int rank, counter = 1, buffered = 0;
    uint64_t row[A + 1], *received;
    MPI_Win upd;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * BATCH * sizeof(uint64_t), sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &received, &upd);

    MPI_Win_lock_all(0, upd);
    if (rank == 0) {
        for (uint64_t x = 0; x < BATCH; x++) {
            row[counter++] = x;
            if (counter > A) {
                row[0] = A;
                MPI_Put(row, A + 1, MPI_UINT64_T, 1, buffered, A + 1, MPI_UINT64_T, upd);
                buffered += A + 1;
                counter = 1;
                if (flush_mode)
                    MPI_Win_flush(1, upd);
                else if (flush_local_mode)
                    MPI_Win_flush_local(1, upd);
            }
        }
    }
    MPI_Win_unlock_all(upd);

    printf("rank %d: %d\n", rank, buffered);
    MPI_Win_free(&upd);
    MPI_Finalize();
    return 0;
}
