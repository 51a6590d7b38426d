/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 4, "COMPILE": "-Wl,--no-as-needed -lm", "DESCRIPTION": "heat in three dimensions: subarrays are put into ghost layers between fences"} */
/* Heat in three dimensions: subarrays, a Cartesian communicator, puts into ghost layers between fences. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { X, Y, Z };
typedef struct {
    MPI_Comm cart;
    int me, dims[3], coords[3], n[3], full[3];
    int neighbour[3][2];
    MPI_Datatype send[3][2], into[3][2];
    double *field[2];
    MPI_Win win[2];
} Grid;
#define AT(g, f, i, j, k) ((f)[((size_t)(i) * (g)->full[1] + (j)) * (g)->full[2] + (k)])
static void face(Grid *g, int d, int at, MPI_Datatype *t) {
    int sub[3], start[3];
    for (int i = 0; i < 3; i++) {
        sub[i] = i == d ? 1 : g->n[i];
        start[i] = i == d ? at : 1;
    }
    MPI_Type_create_subarray(3, g->full, sub, start, MPI_ORDER_C, MPI_DOUBLE, t);
    MPI_Type_commit(t);
}
static void grid_new(Grid *g, int n) {
    int np, periods[3] = { 0, 1, 0 };
    memset(g, 0, sizeof *g);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 3, g->dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, g->dims, periods, 1, &g->cart);
    MPI_Comm_rank(g->cart, &g->me);
    MPI_Cart_coords(g->cart, g->me, 3, g->coords);
    for (int d = 0; d < 3; d++) {
        g->n[d] = n / g->dims[d];
        g->full[d] = g->n[d] + 2;
        MPI_Cart_shift(g->cart, d, 1, &g->neighbour[d][0], &g->neighbour[d][1]);
    }
    for (int d = 0; d < 3; d++) {
        face(g, d, 1, &g->send[d][0]);
        face(g, d, g->n[d], &g->send[d][1]);
        face(g, d, g->n[d] + 1, &g->into[d][0]); /* what I send down lands in the upper ghost there */
        face(g, d, 0, &g->into[d][1]);
    }
    size_t cells = (size_t)g->full[0] * g->full[1] * g->full[2];
    for (int b = 0; b < 2; b++) {
        MPI_Alloc_mem(cells * sizeof(double), MPI_INFO_NULL, &g->field[b]);
        for (size_t i = 0; i < cells; i++) g->field[b][i] = 0;
        MPI_Win_create(g->field[b], cells * sizeof(double), sizeof(double), MPI_INFO_NULL, g->cart, &g->win[b]);
    }
}
static void exchange(Grid *g, int b) {
    MPI_Win_fence(MPI_MODE_NOPRECEDE, g->win[b]);
    for (int d = 0; d < 3; d++)
        for (int s = 0; s < 2; s++)
            MPI_Put(g->field[b], 1, g->send[d][s], g->neighbour[d][s], 0, 1, g->into[d][s], g->win[b]);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, g->win[b]);
}
static double step(Grid *g, int b) {
    double *u = g->field[b], *v = g->field[1 - b], change = 0, all;
    for (int i = 1; i <= g->n[0]; i++)
        for (int j = 1; j <= g->n[1]; j++)
            for (int k = 1; k <= g->n[2]; k++) {
                double was = AT(g, u, i, j, k);
                double now = was + 0.1 * (AT(g, u, i - 1, j, k) + AT(g, u, i + 1, j, k) + AT(g, u, i, j - 1, k) +
                    AT(g, u, i, j + 1, k) + AT(g, u, i, j, k - 1) + AT(g, u, i, j, k + 1) - 6 * was);
                AT(g, v, i, j, k) = now;
                change = fmax(change, fabs(now - was));
            }
    MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, g->cart);
    return all;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    Grid g;
    int n = 8, steps = 10;
    if (argc > 1) n = atoi(argv[1]);
    if (argc > 2) steps = atoi(argv[2]);
    grid_new(&g, n);
    if (g.me == 0) AT(&g, g.field[0], 1, 1, 1) = 100;
    double change = 1;
    int s;
    for (s = 0; s < steps && change > 1e-6; s++) {
        exchange(&g, s % 2);
        change = step(&g, s % 2);
    }
    double sum = 0, total;
    for (int i = 1; i <= g.n[0]; i++)
        for (int j = 1; j <= g.n[1]; j++)
            for (int k = 1; k <= g.n[2]; k++) sum += AT(&g, g.field[s % 2], i, j, k);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, g.cart);
    if (g.me == 0) printf("%d steps, change %g, sum %g\n", s, change, total);
    for (int b = 0; b < 2; b++) {
        MPI_Win_free(&g.win[b]);
        MPI_Free_mem(g.field[b]);
    }
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 2; k++) {
            MPI_Type_free(&g.send[d][k]);
            MPI_Type_free(&g.into[d][k]);
        }
    MPI_Comm_free(&g.cart);
    MPI_Finalize();
}
