/* Transpose of a square matrix that is split into blocks of columns, by MPI_Get of whole blocks.
 *
 * In each step every rank gets one block of another rank's columns while it transposes the block that it got before:
 * two buffers, two epochs in flight one after the other, closed by MPI_Win_flush_local under one lock_all. After each
 * transpose the matrix is incremented, so that a late or an early read would show.
 *
 * Usage: transpose ORDER ITERATIONS TILE     (ORDER x ORDER doubles; ORDER is rounded up to a multiple of the ranks) */
#include "measure.h"
#include <math.h>

struct matrix {
    long order, columns;    /* of the whole; columns on this rank */
    int rank, size, tile;
    double *a;              /* the window: columns x order, column by column */
    double *b;              /* the transpose is added here */
    double *incoming[2];    /* blocks of columns x columns that were got */
    MPI_Datatype block;     /* such a block as it lies in `a` */
    MPI_Win win;
};

static void matrix_create(struct matrix *m, long order, int tile)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &m->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m->size);
    m->columns = (order + m->size - 1) / m->size;
    m->order = m->columns * m->size;
    m->tile = tile;
    MPI_Win_allocate((MPI_Aint)sizeof(double) * m->order * m->columns, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &m->a, &m->win);
    MPI_Win_set_name(m->win, "matrix");
    m->b = measure_doubles(m->order * m->columns);
    for (int i = 0; i < 2; i++)
        m->incoming[i] = measure_doubles(m->columns * m->columns);
    MPI_Type_vector((int)m->columns, (int)m->columns, (int)m->order, MPI_DOUBLE, &m->block);
    MPI_Type_commit(&m->block);
    for (long j = 0; j < m->columns; j++)
        for (long i = 0; i < m->order; i++)
            m->a[j * m->order + i] = (double)((m->rank * m->columns + j) * m->order + i);
}

static void matrix_destroy(struct matrix *m)
{
    MPI_Win_free(&m->win);
    MPI_Type_free(&m->block);
    free(m->b);
    free(m->incoming[0]);
    free(m->incoming[1]);
}

/* Asks rank `from` for the part of its columns whose rows are my columns. */
static void get_block(struct matrix *m, int from, double *buffer)
{
    long columns = m->columns;
    MPI_Get(buffer, (int)(columns * columns), MPI_DOUBLE, from, m->rank * columns, 1, m->block, m->win);
}

/* Adds the transpose of `block` to the rows of b that belong to rank `from`, tile by tile. */
static void add_transposed(struct matrix *m, int from, const double *restrict block, long pitch)
{
    long columns = m->columns, tile = m->tile;
    double *restrict b = m->b + from * columns;
    for (long jt = 0; jt < columns; jt += tile)
        for (long it = 0; it < columns; it += tile)
            for (long j = jt; j < jt + tile && j < columns; j++)
                for (long i = it; i < it + tile && i < columns; i++)
                    b[i * m->order + j] += block[j * pitch + i];
}

/* One transpose: my own block straight from the matrix, the others as they arrive. */
static void transpose(struct matrix *m)
{
    if (m->size > 1)
        get_block(m, (m->rank + 1) % m->size, m->incoming[1]);
    add_transposed(m, m->rank, m->a + m->rank * m->columns, m->order);
    for (int step = 1; step < m->size; step++) {
        int from = (m->rank + step) % m->size;
        MPI_Win_flush_local(from, m->win);
        if (step + 1 < m->size)
            get_block(m, (m->rank + step + 1) % m->size, m->incoming[(step + 1) % 2]);
        add_transposed(m, from, m->incoming[step % 2], m->columns);
    }
}

static void increment(struct matrix *m)
{
    for (long i = 0; i < m->order * m->columns; i++)
        m->a[i] += 1;
}

/* b must be the sum over all iterations k of (start value of the transposed element + k). */
static int verify(struct matrix *m, int iterations)
{
    double added = 0.5 * iterations * (iterations - 1.0), worst = 0;
    for (long j = 0; j < m->columns; j++)
        for (long i = 0; i < m->order; i++) {
            double start = (double)(i * m->order + m->rank * m->columns + j);
            double error = fabs(m->b[j * m->order + i] - (iterations * start + added));
            worst = error > worst ? error : worst;
        }
    return worst < 1e-3;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long order = measure_argument(argc, argv, 1, 512, 2);
    int iterations = (int)measure_argument(argc, argv, 2, 10, 1);
    int tile = (int)measure_argument(argc, argv, 3, 32, 1);

    struct matrix m;
    matrix_create(&m, order, tile);

    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    MPI_Win_lock_all(0, m.win);
    for (int i = 0; i < iterations; i++) {
        /* The stores of all ranks come before the gets of any, and the gets of all before the next stores. */
        MPI_Win_sync(m.win);
        MPI_Barrier(MPI_COMM_WORLD);
        transpose(&m);
        MPI_Win_flush_all(m.win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(m.win);
        increment(&m);
    }
    MPI_Win_unlock_all(m.win);
    double seconds = MPI_Wtime() - begin;

    double bytes = (double)sizeof(double) * m.order * m.columns;
    int status = measure_report("transpose", seconds, iterations, bytes, verify(&m, iterations));
    matrix_destroy(&m);
    MPI_Finalize();
    return status;
}
