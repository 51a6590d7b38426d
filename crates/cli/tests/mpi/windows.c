/* Windows without names of their own, made by one line, whose handles lie in all kinds of variables. */
#include <mpi.h>
#include <stdlib.h>

struct halo {
    double *cells;
    MPI_Win win, more[3];
};

static MPI_Win several[3];

static void make(MPI_Win *win, double **base)
{
    MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, win); /* makes all windows */
}

/* Both processes put to the same place. */
#define RACE(win)                                                   \
    do {                                                            \
        MPI_Win_fence(0, win);                                      \
        MPI_Put(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win);   \
        MPI_Win_fence(0, win);                                      \
        MPI_Win_free(&(win));                                       \
    } while (0)

int main(int argc, char **argv)
{
    MPI_Win win, named;
    struct halo halo;
    MPI_Win *heap = malloc(sizeof *heap);
    double *base, value = 1;
    MPI_Init(&argc, &argv);
    make(&win, &base);
    RACE(win);
    make(&halo.win, &base);
    RACE(halo.win);
    make(&halo.more[1], &base);
    RACE(halo.more[1]);
    make(&several[2], &base);
    RACE(several[2]);
    make(heap, &base);
    RACE(*heap);
    make(&named, &base);
    MPI_Win_set_name(named, "of the program");
    RACE(named);
    MPI_Finalize();
    free(heap);
    return 0;
}
