/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@39", "STORE@38"], "NPROCS": 2, "DESCRIPTION": "a structure holds two windows; the flush is of the wrong one"} */
/* Windows as fields of a structure in an array: which one is flushed matters (MPI-4.1 12.5.4). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct field {
    MPI_Win win;
    double *cells;
    double ghost[4];
};

static void create(struct field *f)
{
    MPI_Win_allocate(8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f->cells, &f->win);
    MPI_Win_lock_all(0, f->win);
}

static void destroy(struct field *f)
{
    MPI_Win_unlock_all(f->win);
    MPI_Win_free(&f->win);
}

int main(int argc, char **argv)
{
    int rank;
    struct {
        int steps;
        struct field of[2];
    } model = {.steps = 4};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++)
        create(&model.of[i]);
    if (rank == 0)
        for (int step = 0; step < model.steps; step++) {
            struct field *now = &model.of[step % 2];
            now->ghost[0] = step;
            MPI_Put(now->ghost, 4, MPI_DOUBLE, 1, 4 * (step / 2), 4, MPI_DOUBLE, now->win);
            MPI_Win_flush_local(1, model.of[0].win);
        }
    for (int i = 0; i < 2; i++)
        destroy(&model.of[i]);
    printf("done\n");
    MPI_Finalize();
    return 0;
}
