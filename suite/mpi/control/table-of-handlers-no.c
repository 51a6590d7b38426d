/* {"RACE_KIND": "none", "NPROCS": 2, "DESCRIPTION": "the clean twin: handlers in a table of function pointers"} */
/* Function pointers in a table of structures (Ait Kaci 2022, chapter 4: future work). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct state {
    MPI_Win win;
    int buffer[4], sum;
};

static void begin(struct state *s) { MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, s->win); }
static void ask(struct state *s) { MPI_Get(s->buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, s->win); }
static void await(struct state *s) { MPI_Win_flush(1, s->win); }
static void use(struct state *s)
{
    for (int i = 0; i < 4; i++)
        s->sum += s->buffer[i];
}
static void end(struct state *s) { MPI_Win_unlock(1, s->win); }

struct step {
    const char *name;
    void (*run)(struct state *);
};

static const struct step steps[] = {{"begin", begin}, {"ask", ask}, {"await", await}, {"use", use}, {"end", end}};

int main(int argc, char **argv)
{
    int rank, *cells;
    struct state s = {.sum = 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &s.win);
    if (rank == 0)
        for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
            steps[i].run(&s);
    printf("%d\n", s.sum);
    MPI_Win_free(&s.win);
    MPI_Finalize();
    return 0;
}
