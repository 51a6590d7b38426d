/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "COMPILE": "-Wl,--no-as-needed -lm", "DESCRIPTION": "a sparse product with indexed gets of ghosts, and conjugate gradients"} */
/* Sparse matrix times vector: indexed gets of ghosts, set up by one sorting of columns; then CG. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    int rows, first, nnz, ghosts, owners;
    int *start, *col;
    double *val;
    int *owner;              /* whom I read from */
    MPI_Datatype *there;     /* what, there */
    int *count, *offset;     /* how many, and where they land */
} matrix;
static int me, np;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static matrix *build(int per) {
    matrix *m = calloc(1, sizeof *m);
    int n = per * np;
    m->rows = per;
    m->first = me * per;
    m->start = malloc((per + 1) * sizeof(int));
    m->col = malloc(per * 5 * sizeof(int));
    m->val = malloc(per * 5 * sizeof(double));
    int stride = 5;
    m->start[0] = 0;
    for (int i = 0; i < per; i++) {
        int g = m->first + i, k = m->start[i];
        int cols[5] = { g - stride, g - 1, g, g + 1, g + stride };
        for (int c = 0; c < 5; c++)
            if (cols[c] >= 0 && cols[c] < n) {
                m->col[k] = cols[c];
                m->val[k++] = cols[c] == g ? 4.5 : -1;
            }
        m->start[i + 1] = k;
    }
    m->nnz = m->start[per];
    int *list = malloc(m->nnz * sizeof(int)), g = 0;
    for (int k = 0; k < m->nnz; k++)
        if (m->col[k] / per != me) list[g++] = m->col[k];
    qsort(list, g, sizeof(int), compare);
    int u = 0;
    for (int k = 0; k < g; k++)
        if (!u || list[u - 1] != list[k]) list[u++] = list[k];
    m->ghosts = u;
    m->owner = malloc(np * sizeof(int));
    m->count = malloc(np * sizeof(int));
    m->offset = malloc(np * sizeof(int));
    m->there = malloc(np * sizeof(MPI_Datatype));
    for (int k = 0; k < u;) {
        int o = list[k] / per, from = k;
        int *disp = malloc(u * sizeof(int));
        while (k < u && list[k] / per == o) {
            disp[k - from] = list[k] - o * per;
            k++;
        }
        m->owner[m->owners] = o;
        m->count[m->owners] = k - from;
        m->offset[m->owners] = per + from;
        MPI_Type_create_indexed_block(k - from, 1, disp, MPI_DOUBLE, &m->there[m->owners]);
        MPI_Type_commit(&m->there[m->owners]);
        m->owners++;
        free(disp);
    }
    for (int k = 0; k < m->nnz; k++) {
        int c = m->col[k];
        if (c / per == me)
            m->col[k] = c - m->first;
        else
            m->col[k] = per + (int)((int *)bsearch(&c, list, u, sizeof(int), compare) - list);
    }
    free(list);
    return m;
}
static void multiply(matrix *m, double *x, MPI_Win win, double *y) {
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int o = 0; o < m->owners; o++)
        MPI_Get(x + m->offset[o], m->count[o], MPI_DOUBLE, m->owner[o], 0, 1, m->there[o], win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOPUT | MPI_MODE_NOSTORE, win);
    for (int i = 0; i < m->rows; i++) {
        double s = 0;
        for (int k = m->start[i]; k < m->start[i + 1]; k++) s += m->val[k] * x[m->col[k]];
        y[i] = s;
    }
}
static double dot(const double *a, const double *b, int n) {
    double s = 0, t;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return t;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int per = argc > 1 ? atoi(argv[1]) : 24;
    matrix *m = build(per);
    double *p = calloc(per + m->ghosts, sizeof(double)), *x = calloc(per, sizeof(double)),
        *r = malloc(per * sizeof(double)), *ap = malloc(per * sizeof(double));
    MPI_Win win;
    MPI_Win_create(p, per * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < per; i++) p[i] = r[i] = 1;
    double rr = dot(r, r, per);
    int it;
    for (it = 0; it < 20 && rr > 1e-12; it++) {
        multiply(m, p, win, ap);
        double alpha = rr / dot(p, ap, per);
        for (int i = 0; i < per; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        double next = dot(r, r, per);
        for (int i = 0; i < per; i++) p[i] = r[i] + next / rr * p[i];
        rr = next;
    }
    if (me == 0) printf("%d rounds, residual %g\n", it, sqrt(rr));
    MPI_Win_free(&win);
    MPI_Finalize();
}
