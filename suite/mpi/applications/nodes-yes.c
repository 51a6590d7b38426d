/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@33", "LOAD@34"], "FURTHER_PAIRS": [["MPI_Put@35", "LOAD@29"]], "NPROCS": 3, "DESCRIPTION": "a server of work with post and start: results are read before the epoch ends"} */
/* PSCW with a server: workers get work from the master's window and put results back; window groups by colours. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 8
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, np;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Group world, masters, workers;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int zero = 0;
    MPI_Group_incl(world, 1, &zero, &masters);
    MPI_Group_excl(world, 1, &zero, &workers);
    double *job = NULL;
    int mine = me == 0 ? 2 * N * np : 0;
    MPI_Win win;
    job = malloc((mine ? mine : 1) * sizeof(double));
    MPI_Win_create(mine ? job : NULL, mine * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    double in[N], out[N], result = 0;
    for (int round = 0; round < 4; round++) {
        if (me == 0) {
            for (int r = 1; r < np; r++)
                for (int i = 0; i < N; i++) job[r * 2 * N + i] = round + r + i;
            MPI_Win_post(workers, 0, win);
            for (int r = 1; r < np; r++)
                for (int i = 0; i < N; i++) result += job[r * 2 * N + N + i];
            MPI_Win_wait(win);
        } else {
            MPI_Win_start(masters, 0, win);
            MPI_Get(in, N, MPI_DOUBLE, 0, me * 2 * N, N, MPI_DOUBLE, win);
            for (int i = 0; i < N; i++) out[i] = in[i] * in[i];
            MPI_Put(out, N, MPI_DOUBLE, 0, me * 2 * N + N, N, MPI_DOUBLE, win);
            MPI_Win_complete(win);
        }
    }
    if (me == 0) printf("result %g\n", result);
    MPI_Win_free(&win);
    free(job);
    MPI_Group_free(&masters);
    MPI_Group_free(&workers);
    MPI_Group_free(&world);
    MPI_Finalize();
}
