/* Making and reading matrices, and their renumbering to owned and ghost columns. */
#include "sparse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    long row, column;
    double value;
};

struct entries {
    struct entry *entry;
    size_t count, room;
};

void die(const char *why)
{
    fprintf(stderr, "sparsecg: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 4);
    abort();
}

void *xmalloc(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) die("out of memory");
    return memory;
}

void layout_create(struct layout *l, long rows, MPI_Comm comm)
{
    MPI_Comm_dup(comm, &l->comm);
    MPI_Comm_rank(l->comm, &l->rank);
    MPI_Comm_size(l->comm, &l->ranks);
    l->rows = rows;
    l->start = xmalloc(((size_t)l->ranks + 1) * sizeof *l->start);
    for (int r = 0; r <= l->ranks; r++) l->start[r] = rows * r / l->ranks;
    l->local = (int)(l->start[l->rank + 1] - l->start[l->rank]);
}

int layout_owner(const struct layout *l, long row)
{
    int low = 0, high = l->ranks;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (l->start[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void layout_free(struct layout *l)
{
    free(l->start);
    MPI_Comm_free(&l->comm);
}

static void add(struct entries *e, long row, long column, double value)
{
    if (e->count == e->room) {
        e->room = e->room == 0 ? 256 : 2 * e->room;
        struct entry *more = realloc(e->entry, e->room * sizeof *more);
        if (more == NULL) die("out of memory");
        e->entry = more;
    }
    e->entry[e->count++] = (struct entry){row, column, value};
}

static int by_place(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return 0;
}

static int by_row(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* Equal places are summed. */
static void combine(struct entries *e)
{
    qsort(e->entry, e->count, sizeof *e->entry, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < e->count; i++) {
        if (kept > 0 && by_place(&e->entry[kept - 1], &e->entry[i]) == 0)
            e->entry[kept - 1].value += e->entry[i].value;
        else
            e->entry[kept++] = e->entry[i];
    }
    e->count = kept;
}

static int find_ghost(const struct matrix *a, long row)
{
    int low = 0, high = a->ghosts - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a->ghost[middle] == row) return middle;
        if (a->ghost[middle] < row)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

/* Rows of this rank as compressed rows, columns renumbered. 0, or -1 if a diagonal entry is missing. */
static int assemble(struct matrix *a, const struct layout *l, struct entries *e)
{
    long low = l->start[l->rank], high = l->start[l->rank + 1];
    combine(e);
    a->layout = l;
    a->first = xmalloc(((size_t)l->local + 1) * sizeof *a->first);
    a->column = xmalloc(e->count * sizeof *a->column);
    a->value = xmalloc(e->count * sizeof *a->value);
    a->diagonal = xmalloc((size_t)l->local * sizeof *a->diagonal);
    a->ghost = xmalloc(e->count * sizeof *a->ghost);
    a->ghosts = 0;
    for (size_t i = 0; i < e->count; i++)
        if (e->entry[i].column < low || e->entry[i].column >= high) a->ghost[a->ghosts++] = e->entry[i].column;
    qsort(a->ghost, (size_t)a->ghosts, sizeof *a->ghost, by_row);
    int kept = 0;
    for (int i = 0; i < a->ghosts; i++)
        if (kept == 0 || a->ghost[kept - 1] != a->ghost[i]) a->ghost[kept++] = a->ghost[i];
    a->ghosts = kept;
    for (int i = 0; i < l->local; i++) a->diagonal[i] = 0.0;
    int row = 0;
    a->first[0] = 0;
    for (size_t i = 0; i < e->count; i++) {
        struct entry *x = &e->entry[i];
        while (row < x->row - low) a->first[++row] = (int)i;
        if (x->column >= low && x->column < high)
            a->column[i] = (int)(x->column - low);
        else
            a->column[i] = l->local + find_ghost(a, x->column);
        a->value[i] = x->value;
        if (x->column == x->row) a->diagonal[x->row - low] = x->value;
    }
    while (row < l->local) a->first[++row] = (int)e->count;
    int bad = 0, any = 0;
    for (int i = 0; i < l->local; i++)
        if (a->diagonal[i] == 0.0) bad = 1;
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_LOR, l->comm);
    return any ? -1 : 0;
}

static void poisson2(struct entries *e, const struct layout *l, int n, double epsilon)
{
    for (long row = l->start[l->rank]; row < l->start[l->rank + 1]; row++) {
        int i = (int)(row % n), j = (int)(row / n);
        add(e, row, row, 2.0 + 2.0 * epsilon);
        if (i > 0) add(e, row, row - 1, -1.0);
        if (i < n - 1) add(e, row, row + 1, -1.0);
        if (j > 0) add(e, row, row - n, -epsilon);
        if (j < n - 1) add(e, row, row + n, -epsilon);
    }
}

static void poisson3(struct entries *e, const struct layout *l, int n)
{
    long plane = (long)n * n;
    for (long row = l->start[l->rank]; row < l->start[l->rank + 1]; row++) {
        int i = (int)(row % n), j = (int)(row / n % n), k = (int)(row / plane);
        add(e, row, row, 6.0);
        if (i > 0) add(e, row, row - 1, -1.0);
        if (i < n - 1) add(e, row, row + 1, -1.0);
        if (j > 0) add(e, row, row - n, -1.0);
        if (j < n - 1) add(e, row, row + n, -1.0);
        if (k > 0) add(e, row, row - plane, -1.0);
        if (k < n - 1) add(e, row, row + plane, -1.0);
    }
}

static unsigned long mix(unsigned long x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdUL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53UL;
    x ^= x >> 33;
    return x;
}

/* A symmetric matrix with a random pattern, diagonally dominant. Every rank walks all pairs, and keeps its rows. */
static void random_matrix(struct entries *e, const struct layout *l, const struct options *o)
{
    long low = l->start[l->rank], high = l->start[l->rank + 1];
    for (long row = low; row < high; row++) add(e, row, row, o->epsilon);
    for (long row = 0; row < l->rows; row++)
        for (int d = 0; d < o->degree; d++) {
            unsigned long hash = mix(((unsigned long)row * 64UL + (unsigned long)d) ^ ((unsigned long)o->seed << 40));
            long other = (long)(hash % (unsigned long)l->rows);
            if (other == row) continue;
            double weight = 0.1 + 0.9 * (double)(hash >> 40) / (double)(1UL << 24);
            if (row >= low && row < high) {
                add(e, row, other, -weight);
                add(e, row, row, weight);
            }
            if (other >= low && other < high) {
                add(e, other, row, -weight);
                add(e, other, other, weight);
            }
        }
}

int matrix_generate(struct matrix *a, const struct layout *l, const struct options *o)
{
    struct entries e = {NULL, 0, 0};
    switch (o->generator) {
    case GEN_POISSON2: poisson2(&e, l, o->n, 1.0); break;
    case GEN_ANISOTROPIC: poisson2(&e, l, o->n, o->epsilon); break;
    case GEN_POISSON3: poisson3(&e, l, o->n); break;
    case GEN_RANDOM: random_matrix(&e, l, o); break;
    default: die("this matrix comes from a file");
    }
    int bad = assemble(a, l, &e);
    free(e.entry);
    return bad;
}

/* Reads the header of a Matrix Market file. Returns the number of entries, or -1. */
static long read_header(FILE *file, long *rows, int *symmetric)
{
    char line[512], object[64], format[64], field[64], symmetry[64];
    if (fgets(line, sizeof line, file) == NULL) return -1;
    if (sscanf(line, "%%%%MatrixMarket %63s %63s %63s %63s", object, format, field, symmetry) != 4) return -1;
    if (strcmp(object, "matrix") != 0 || strcmp(format, "coordinate") != 0 || strcmp(field, "real") != 0) return -1;
    *symmetric = strcmp(symmetry, "symmetric") == 0;
    if (!*symmetric && strcmp(symmetry, "general") != 0) return -1;
    do {
        if (fgets(line, sizeof line, file) == NULL) return -1;
    } while (line[0] == '%');
    long columns, entries;
    if (sscanf(line, "%ld %ld %ld", rows, &columns, &entries) != 3) return -1;
    return *rows == columns && *rows > 0 ? entries : -1;
}

int matrix_file_rows(const char *name, long *rows, MPI_Comm comm)
{
    int rank, symmetric;
    *rows = -1;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        FILE *file = fopen(name, "r");
        if (file == NULL) {
            fprintf(stderr, "sparsecg: cannot read %s: %s\n", name, strerror(errno));
        } else {
            if (read_header(file, rows, &symmetric) < 0) {
                fprintf(stderr, "sparsecg: %s is no square real matrix in coordinate form\n", name);
                *rows = -1;
            }
            fclose(file);
        }
    }
    MPI_Bcast(rows, 1, MPI_LONG, 0, comm);
    return *rows > 0 ? 0 : -1;
}

/* Every rank reads the file, and keeps its rows. */
int matrix_read(struct matrix *a, const struct layout *l, const char *name)
{
    struct entries e = {NULL, 0, 0};
    long rows = 0, low = l->start[l->rank], high = l->start[l->rank + 1];
    int symmetric = 0, bad = 0, any = 0;
    FILE *file = fopen(name, "r");
    long count = file == NULL ? -1 : read_header(file, &rows, &symmetric);
    for (long i = 0; i < count && !bad; i++) {
        long row, column;
        double value;
        if (fscanf(file, "%ld %ld %lf", &row, &column, &value) != 3 || row < 1 || row > rows || column < 1 ||
            column > rows) {
            bad = 1;
            break;
        }
        row--;
        column--;
        if (row >= low && row < high) add(&e, row, column, value);
        if (symmetric && row != column && column >= low && column < high) add(&e, column, row, value);
    }
    if (file != NULL) fclose(file);
    if (count < 0 || rows != l->rows) bad = 1;
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_LOR, l->comm);
    if (!any) any = assemble(a, l, &e) != 0;
    free(e.entry);
    return any ? -1 : 0;
}

/* |x'Ay - y'Ax| relative to |x'Ay|, for two vectors: zero for a symmetric matrix. */
double matrix_asymmetry(const struct matrix *a, struct gather *g)
{
    const struct layout *l = a->layout;
    size_t bytes = (size_t)l->local * sizeof(double);
    double *x = xmalloc(bytes), *y = xmalloc(bytes), *z = xmalloc(bytes);
    for (int i = 0; i < l->local; i++) {
        unsigned long hash = mix((unsigned long)(l->start[l->rank] + i) + 17UL);
        x[i] = (double)(hash & 0xffff) / 65536.0;
        y[i] = (double)(hash >> 16 & 0xffff) / 65536.0;
    }
    multiply(a, g, y, z);
    double xay = dot(l, x, z);
    multiply(a, g, x, z);
    double yax = dot(l, y, z);
    free(x);
    free(y);
    free(z);
    return fabs(xay - yax) / (fabs(xay) + 1e-300);
}

void matrix_free(struct matrix *a)
{
    free(a->first);
    free(a->column);
    free(a->value);
    free(a->diagonal);
    free(a->ghost);
}
