/* A five-point relaxation on a grid that is itself the window: neighbours put whole rows into each other's grid.
 *
 * The hard case for a checker: every load and store of the sweep touches window memory, so none of them can be left
 * out because of where it goes. Two grids take turns, each with a window of its own. The start values are a product of
 * sines, which each sweep damps by a factor that is known; this is verified at the end.
 *
 * Usage: stencil-window N ITERATIONS     (global grid N x N, split into bands of rows, periodic) */
#include "measure.h"
#include <math.h>

struct band {
    int n, rows;        /* points of a row; rows of this band, without the two halo rows */
    long first;         /* global number of its first row */
    int below, above;   /* neighbours */
    int rows_below;     /* rows of the neighbour below: its upper halo row is row rows_below + 1 */
    double *field[2];
    MPI_Win win[2];
};

static int rows_of(int n, int size, int rank)
{
    return n / size + (rank < n % size ? 1 : 0);
}

static void band_create(struct band *b, int n)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    b->n = n;
    b->rows = rows_of(n, size, rank);
    b->first = 0;
    for (int r = 0; r < rank; r++)
        b->first += rows_of(n, size, r);
    b->below = (rank + size - 1) % size;
    b->above = (rank + 1) % size;
    b->rows_below = rows_of(n, size, b->below);
    MPI_Aint bytes = (MPI_Aint)sizeof(double) * n * (b->rows + 2);
    for (int f = 0; f < 2; f++) {
        MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &b->field[f], &b->win[f]);
        MPI_Win_set_name(b->win[f], f == 0 ? "even field" : "odd field");
        for (long i = 0; i < (long)n * (b->rows + 2); i++)
            b->field[f][i] = 0;
    }
}

/* A smooth periodic start value. */
static void band_fill(struct band *b)
{
    double step = 2 * M_PI / b->n;
    for (int y = 1; y <= b->rows; y++)
        for (int x = 0; x < b->n; x++)
            b->field[0][(long)y * b->n + x] = 1 + sin(step * x) * sin(step * (b->first + y - 1));
}

/* My first row becomes the upper halo row of the band below, my last row the lower halo row of the band above. */
static void exchange(struct band *b, int f)
{
    double *field = b->field[f];
    MPI_Win_fence(0, b->win[f]);
    MPI_Put(field + b->n, b->n, MPI_DOUBLE, b->below, (MPI_Aint)(b->rows_below + 1) * b->n, b->n, MPI_DOUBLE,
            b->win[f]);
    MPI_Put(field + (long)b->rows * b->n, b->n, MPI_DOUBLE, b->above, 0, b->n, MPI_DOUBLE, b->win[f]);
    MPI_Win_fence(0, b->win[f]);
}

/* Reads field `f`, writes the other one. */
static void sweep(struct band *b, int f)
{
    int n = b->n;
    for (int y = 1; y <= b->rows; y++) {
        const double *restrict in = b->field[f] + (long)y * n;
        double *restrict out = b->field[1 - f] + (long)y * n;
        out[0] = 0.5 * in[0] + 0.125 * (in[n - 1] + in[1] + in[-n] + in[n]);
        for (int x = 1; x < n - 1; x++)
            out[x] = 0.5 * in[x] + 0.125 * (in[x - 1] + in[x + 1] + in[x - n] + in[x + n]);
        out[n - 1] = 0.5 * in[n - 1] + 0.125 * (in[n - 2] + in[0] + in[-1] + in[2 * n - 1]);
    }
}

/* sin(x) sin(y) is an eigenvector of the sweep: after k sweeps it is damped by a factor that is known exactly. */
static int verify(struct band *b, int f, int sweeps)
{
    double step = 2 * M_PI / b->n, factor = pow(0.5 + 0.5 * cos(step), sweeps), worst = 0;
    for (int y = 1; y <= b->rows; y++)
        for (int x = 0; x < b->n; x++) {
            double expected = 1 + factor * sin(step * x) * sin(step * (b->first + y - 1));
            double error = fabs(b->field[f][(long)y * b->n + x] - expected);
            worst = error > worst ? error : worst;
        }
    return worst < 1e-9;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = (int)measure_argument(argc, argv, 1, 1000, 16);
    int iterations = (int)measure_argument(argc, argv, 2, 10, 1);

    struct band b;
    band_create(&b, n);
    band_fill(&b);

    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        exchange(&b, i % 2);
        sweep(&b, i % 2);
    }
    double seconds = MPI_Wtime() - begin;

    int verified = verify(&b, iterations % 2, iterations);
    double bytes = 2.0 * sizeof(double) * n * (b.rows + 2);
    int status = measure_report("stencil-window", seconds, iterations, bytes, verified);
    for (int f = 0; f < 2; f++)
        MPI_Win_free(&b.win[f]);
    MPI_Finalize();
    return status;
}
