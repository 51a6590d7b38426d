/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a product of matrices over distributed arrays: the next tile is fetched meanwhile"} */
/* A small layer of distributed 2-d arrays, as libraries of that kind have it. */
#include <mpi.h>
#include <stddef.h>
typedef int ga_t;
void ga_initialize(MPI_Comm comm);
void ga_terminate(void);
ga_t ga_create(int rows, int cols, const char *name);
void ga_destroy(ga_t a);
void ga_put(ga_t a, int ilo, int ihi, int jlo, int jhi, const double *buf, int ld);
void ga_get(ga_t a, int ilo, int ihi, int jlo, int jhi, double *buf, int ld);
void ga_acc(ga_t a, int ilo, int ihi, int jlo, int jhi, const double *buf, int ld, double alpha);
void ga_nbget(ga_t a, int ilo, int ihi, int jlo, int jhi, double *buf, int ld, MPI_Request *req);
void ga_wait(MPI_Request *req);
void ga_sync(void);
void ga_fill(ga_t a, double v);
double ga_ddot(ga_t a, ga_t b);
long ga_read_inc(ga_t counter, long by);
ga_t ga_counter(void);
void ga_distribution(ga_t a, int rank, int *lo, int *hi);
double *ga_access(ga_t a);
void ga_release(ga_t a);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARRAYS 32

struct array {
    int used, rows, cols, block;
    char name[32];
    MPI_Win win;
    double *local;
    long *count;
};

static struct array table[MAX_ARRAYS];
static MPI_Comm world;
static int me, np;

static void die(const char *what) {
    fprintf(stderr, "ga: %s\n", what);
    MPI_Abort(world, 3);
}

void ga_initialize(MPI_Comm comm) {
    MPI_Comm_dup(comm, &world);
    MPI_Comm_rank(world, &me);
    MPI_Comm_size(world, &np);
    memset(table, 0, sizeof table);
}

static ga_t slot(void) {
    for (int i = 0; i < MAX_ARRAYS; i++)
        if (!table[i].used) {
            table[i].used = 1;
            return i;
        }
    die("too many arrays");
    return -1;
}

ga_t ga_create(int rows, int cols, const char *name) {
    ga_t g = slot();
    struct array *a = &table[g];
    a->rows = rows;
    a->cols = cols;
    a->block = (rows + np - 1) / np;
    strncpy(a->name, name, sizeof a->name - 1);
    MPI_Aint bytes = (MPI_Aint)a->block * cols * sizeof(double);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "same_size", "true");
    MPI_Win_allocate(bytes, sizeof(double), info, world, &a->local, &a->win);
    MPI_Info_free(&info);
    MPI_Win_set_name(a->win, a->name);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, a->win);
    return g;
}

ga_t ga_counter(void) {
    ga_t g = slot();
    struct array *a = &table[g];
    MPI_Win_allocate(me == 0 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, world, &a->count, &a->win);
    MPI_Win_lock_all(0, a->win);
    if (me == 0) {
        *a->count = 0;
        MPI_Win_sync(a->win);
    }
    MPI_Barrier(world);
    return g;
}

long ga_read_inc(ga_t g, long by) {
    long old;
    MPI_Fetch_and_op(&by, &old, MPI_LONG, 0, 0, MPI_SUM, table[g].win);
    MPI_Win_flush(0, table[g].win);
    return old;
}

void ga_destroy(ga_t g) {
    struct array *a = &table[g];
    MPI_Win_unlock_all(a->win);
    MPI_Win_free(&a->win);
    a->used = 0;
}

void ga_distribution(ga_t g, int rank, int *lo, int *hi) {
    struct array *a = &table[g];
    *lo = rank * a->block;
    *hi = *lo + a->block - 1;
    if (*hi >= a->rows) *hi = a->rows - 1;
}

typedef void (*transfer)(struct array *a, int owner, MPI_Aint disp, MPI_Datatype there, double *here, int n,
    int ld, void *extra);

static void each_owner(struct array *a, int ilo, int ihi, int jlo, int jhi, double *buf, int ld, transfer f,
    void *extra) {
    if (ilo < 0 || ihi >= a->rows || jlo < 0 || jhi >= a->cols) die("out of bounds");
    for (int owner = ilo / a->block; owner <= ihi / a->block; owner++) {
        int lo = owner * a->block, hi = lo + a->block - 1;
        if (lo < ilo) lo = ilo;
        if (hi > ihi) hi = ihi;
        MPI_Datatype patch;
        MPI_Type_vector(hi - lo + 1, jhi - jlo + 1, a->cols, MPI_DOUBLE, &patch);
        MPI_Type_commit(&patch);
        MPI_Aint disp = (MPI_Aint)(lo - owner * a->block) * a->cols + jlo;
        f(a, owner, disp, patch, buf + (size_t)(lo - ilo) * ld, hi - lo + 1, ld, extra);
        MPI_Type_free(&patch);
    }
}

static MPI_Datatype mine(int n, int width, int ld) {
    MPI_Datatype t;
    MPI_Type_vector(n, width, ld, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    return t;
}

static int width_of(MPI_Datatype there, int n) {
    int size;
    MPI_Type_size(there, &size);
    return size / (int)sizeof(double) / n;
}

static void do_put(struct array *a, int owner, MPI_Aint disp, MPI_Datatype there, double *here, int n, int ld,
    void *extra) {
    (void)extra;
    MPI_Datatype t = mine(n, width_of(there, n), ld);
    MPI_Put(here, 1, t, owner, disp, 1, there, a->win);
    MPI_Win_flush_local(owner, a->win);
    MPI_Type_free(&t);
}

static void do_get(struct array *a, int owner, MPI_Aint disp, MPI_Datatype there, double *here, int n, int ld,
    void *extra) {
    (void)extra;
    MPI_Datatype t = mine(n, width_of(there, n), ld);
    MPI_Get(here, 1, t, owner, disp, 1, there, a->win);
    MPI_Win_flush(owner, a->win);
    MPI_Type_free(&t);
}

static void do_acc(struct array *a, int owner, MPI_Aint disp, MPI_Datatype there, double *here, int n, int ld,
    void *extra) {
    double alpha = *(double *)extra;
    int w = width_of(there, n);
    double *scaled = malloc(sizeof(double) * n * w);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < w; j++) scaled[i * w + j] = alpha * here[(size_t)i * ld + j];
    MPI_Accumulate(scaled, n * w, MPI_DOUBLE, owner, disp, 1, there, MPI_SUM, a->win);
    MPI_Win_flush_local(owner, a->win);
    free(scaled);
}

void ga_put(ga_t g, int ilo, int ihi, int jlo, int jhi, const double *buf, int ld) {
    each_owner(&table[g], ilo, ihi, jlo, jhi, (double *)buf, ld, do_put, NULL);
}
void ga_get(ga_t g, int ilo, int ihi, int jlo, int jhi, double *buf, int ld) {
    each_owner(&table[g], ilo, ihi, jlo, jhi, buf, ld, do_get, NULL);
}
void ga_acc(ga_t g, int ilo, int ihi, int jlo, int jhi, const double *buf, int ld, double alpha) {
    each_owner(&table[g], ilo, ihi, jlo, jhi, (double *)buf, ld, do_acc, &alpha);
}

struct rows { MPI_Request *request; };
static void do_nbget(struct array *a, int owner, MPI_Aint disp, MPI_Datatype there, double *here, int n, int ld,
    void *extra) {
    MPI_Datatype t = mine(n, width_of(there, n), ld);
    MPI_Rget(here, 1, t, owner, disp, 1, there, a->win, ((struct rows *)extra)->request);
    MPI_Type_free(&t);
}
/* one owner only */
void ga_nbget(ga_t g, int ilo, int ihi, int jlo, int jhi, double *buf, int ld, MPI_Request *req) {
    struct rows r = { req };
    each_owner(&table[g], ilo, ihi, jlo, jhi, buf, ld, do_nbget, &r);
}
void ga_wait(MPI_Request *req) { MPI_Wait(req, MPI_STATUS_IGNORE); }

void ga_sync(void) {
    for (int i = 0; i < MAX_ARRAYS; i++)
        if (table[i].used) {
            MPI_Win_flush_all(table[i].win);
            MPI_Win_sync(table[i].win);
        }
    MPI_Barrier(world);
    for (int i = 0; i < MAX_ARRAYS; i++)
        if (table[i].used) MPI_Win_sync(table[i].win);
}

void ga_fill(ga_t g, double v) {
    struct array *a = &table[g];
    for (int i = 0; i < a->block * a->cols; i++) a->local[i] = v;
    ga_sync();
}

double *ga_access(ga_t g) { return table[g].local; }
void ga_release(ga_t g) { MPI_Win_sync(table[g].win); }

double ga_ddot(ga_t x, ga_t y) {
    struct array *a = &table[x], *b = &table[y];
    double s = 0, total;
    int lo, hi;
    ga_distribution(x, me, &lo, &hi);
    for (int i = 0; i < (hi - lo + 1) * a->cols; i++) s += a->local[i] * b->local[i];
    MPI_Allreduce(&s, &total, 1, MPI_DOUBLE, MPI_SUM, world);
    return total;
}
/* C = A B over distributed arrays: tiles are handed out by a counter; the next tile of B is fetched while one
   multiplies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define TILE 4
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n, me, np;
    MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &np), n = 2 * TILE * np;
    ga_initialize(MPI_COMM_WORLD);
    ga_t a = ga_create(n, n, "A"), b = ga_create(n, n, "B"), c = ga_create(n, n, "C"), next = ga_counter();
    ga_fill(a, 1.0);
    ga_fill(b, 2.0);
    ga_fill(c, 0.0);
    int tiles = n / TILE;
    double ta[TILE * TILE], tb[2][TILE * TILE], tc[TILE * TILE];
    long t;
    while ((t = ga_read_inc(next, 1)) < (long)tiles * tiles) {
        int bi = (int)(t / tiles) * TILE, bj = (int)(t % tiles) * TILE;
        MPI_Request req;
        memset(tc, 0, sizeof tc);
        ga_nbget(b, 0, TILE - 1, bj, bj + TILE - 1, tb[0], TILE, &req);
        for (int k = 0; k < tiles; k++) {
            ga_get(a, bi, bi + TILE - 1, k * TILE, k * TILE + TILE - 1, ta, TILE);
            ga_wait(&req);
            double *cur = tb[k % 2];
            if (k + 1 < tiles)
                ga_nbget(b, (k + 1) * TILE, (k + 2) * TILE - 1, bj, bj + TILE - 1, tb[(k + 1) % 2], TILE, &req);
            for (int i = 0; i < TILE; i++)
                for (int j = 0; j < TILE; j++)
                    for (int l = 0; l < TILE; l++) tc[i * TILE + j] += ta[i * TILE + l] * cur[l * TILE + j];
        }
        ga_acc(c, bi, bi + TILE - 1, bj, bj + TILE - 1, tc, TILE, 1.0);
    }
    ga_sync();
    double norm = ga_ddot(c, c);
    if (me == 0) printf("norm %g expected %g\n", norm, (2.0 * n) * (2.0 * n) * n * n);
    ga_sync();
    ga_destroy(next);
    ga_destroy(c);
    ga_destroy(b);
    ga_destroy(a);
    MPI_Finalize();
    return 0;
}
