/* Explicit dynamics of an elastic block of hexahedral elements, in the manner of LULESH: a mini-app with many local
 * loads and stores through index lists, and little communication.
 *
 * Each step gathers the eight nodes of every element, computes its forces and scatters them to the nodes; the forces of
 * nodes that two ranks share are exchanged by MPI_Put in a post/start/complete/wait epoch with the neighbours; then
 * nodes move. The block starts stretched and swings freely, so total momentum must stay zero, energy must stay bounded,
 * and shared nodes must stay equal on both ranks to the last bit.
 *
 * Usage: dynamics SIDE STEPS     (SIDE x SIDE x SIDE elements on each rank, ranks stacked in z) */
#include "measure.h"
#include <math.h>
#include <string.h>

enum { CORNERS = 8 };

struct block {
    int side, line, plane;          /* elements of a side; nodes of a line and of a plane */
    int nodes, elements;
    int *corner;                    /* CORNERS node numbers for each element */
    double *x, *y, *z;              /* position */
    double *vx, *vy, *vz;           /* velocity */
    double *fx, *fy, *fz;           /* force */
    double *mass;
    double *volume, *pressure, *energy;  /* of each element */
};

struct shared {
    int neighbors, rank[2];         /* ranks below and above, those that exist */
    int first_node[2];              /* the shared plane in my numbering */
    MPI_Aint place[2];              /* where my forces go in the neighbour's window */
    MPI_Aint mine[2];               /* where the neighbour's forces arrive in mine */
    double *send[2];
    double *memory;                 /* the window: forces from below, forces from above */
    MPI_Group group;
    MPI_Win win;
};

/* Offsets of the corners of an element at rest from its centre. */
static const double rest[CORNERS][3] = {{-.5, -.5, -.5}, {.5, -.5, -.5}, {.5, .5, -.5}, {-.5, .5, -.5},
                                        {-.5, -.5, .5},  {.5, -.5, .5},  {.5, .5, .5},  {-.5, .5, .5}};

static void block_create(struct block *b, int side, int rank)
{
    b->side = side;
    b->line = side + 1;
    b->plane = b->line * b->line;
    b->nodes = b->plane * b->line;
    b->elements = side * side * side;
    double **fields[] = {&b->x, &b->y, &b->z, &b->vx, &b->vy, &b->vz, &b->fx, &b->fy, &b->fz, &b->mass};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = measure_doubles(b->nodes);
    b->volume = measure_doubles(b->elements);
    b->pressure = measure_doubles(b->elements);
    b->energy = measure_doubles(b->elements);
    b->corner = malloc(sizeof(int) * CORNERS * b->elements);
    if (!b->corner)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int k = 0, e = 0; k < side; k++)
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++, e++) {
                int base = k * b->plane + j * b->line + i;
                int corner[CORNERS] = {0, 1, b->line + 1, b->line};
                for (int c = 0; c < 4; c++) {
                    b->corner[e * CORNERS + c] = base + corner[c];
                    b->corner[e * CORNERS + c + 4] = base + b->plane + corner[c];
                }
                for (int c = 0; c < CORNERS; c++)
                    b->mass[b->corner[e * CORNERS + c]] += 0.125;
            }
    for (int n = 0; n < b->nodes; n++) {
        b->x[n] = 1.02 * (n % b->line);
        b->y[n] = n % b->plane / b->line;
        b->z[n] = n / b->plane + (double)rank * side;
    }
}

static void shared_create(struct shared *s, struct block *b)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Aint part = 3 * (MPI_Aint)b->plane;
    s->neighbors = 0;
    if (rank > 0) {
        s->rank[s->neighbors] = rank - 1;
        s->first_node[s->neighbors] = 0;
        s->mine[s->neighbors] = 0;
        s->place[s->neighbors++] = part;
    }
    if (rank < size - 1) {
        s->rank[s->neighbors] = rank + 1;
        s->first_node[s->neighbors] = b->nodes - b->plane;
        s->mine[s->neighbors] = part;
        s->place[s->neighbors++] = 0;
    }
    MPI_Win_allocate(2 * part * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &s->memory,
                     &s->win);
    MPI_Win_set_name(s->win, "shared forces");
    for (int i = 0; i < s->neighbors; i++)
        s->send[i] = measure_doubles(part);
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, s->neighbors, s->rank, &s->group);
    MPI_Group_free(&world);
}

/* Adds the neighbours' part to three fields on the shared planes. */
static void add_shared(struct shared *s, struct block *b, double *fx, double *fy, double *fz)
{
    int plane = b->plane;
    for (int i = 0; i < s->neighbors; i++) {
        size_t first = s->first_node[i], bytes = plane * sizeof(double);
        memcpy(s->send[i], fx + first, bytes);
        memcpy(s->send[i] + plane, fy + first, bytes);
        memcpy(s->send[i] + 2 * plane, fz + first, bytes);
    }
    MPI_Win_post(s->group, 0, s->win);
    MPI_Win_start(s->group, 0, s->win);
    for (int i = 0; i < s->neighbors; i++)
        MPI_Put(s->send[i], 3 * plane, MPI_DOUBLE, s->rank[i], s->place[i], 3 * plane, MPI_DOUBLE, s->win);
    MPI_Win_complete(s->win);
    MPI_Win_wait(s->win);
    for (int i = 0; i < s->neighbors; i++) {
        const double *got = s->memory + s->mine[i];
        for (int n = 0; n < plane; n++) {
            fx[s->first_node[i] + n] += got[n];
            fy[s->first_node[i] + n] += got[plane + n];
            fz[s->first_node[i] + n] += got[2 * plane + n];
        }
    }
}

/* Six times the volume spanned by three edges. */
static double triple(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Elastic forces of one element: each corner is drawn to its place at rest, and pressed outwards from the centre. */
static void element_forces(struct block *b, int e)
{
    const double stiffness = 1.0, bulk = 0.5;
    const int *corner = b->corner + (size_t)e * CORNERS;
    double p[CORNERS][3], centre[3] = {0, 0, 0}, edge[3][3];
    for (int c = 0; c < CORNERS; c++) {
        p[c][0] = b->x[corner[c]];
        p[c][1] = b->y[corner[c]];
        p[c][2] = b->z[corner[c]];
        for (int d = 0; d < 3; d++)
            centre[d] += 0.125 * p[c][d];
    }
    for (int d = 0; d < 3; d++) {
        edge[0][d] = 0.25 * (p[1][d] + p[2][d] + p[5][d] + p[6][d] - p[0][d] - p[3][d] - p[4][d] - p[7][d]);
        edge[1][d] = 0.25 * (p[2][d] + p[3][d] + p[6][d] + p[7][d] - p[0][d] - p[1][d] - p[4][d] - p[5][d]);
        edge[2][d] = 0.25 * (p[4][d] + p[5][d] + p[6][d] + p[7][d] - p[0][d] - p[1][d] - p[2][d] - p[3][d]);
    }
    b->volume[e] = triple(edge[0], edge[1], edge[2]);
    b->pressure[e] = bulk * (1 - b->volume[e]);
    b->energy[e] = 0.5 * bulk * (1 - b->volume[e]) * (1 - b->volume[e]);
    for (int c = 0; c < CORNERS; c++) {
        double force[3];
        for (int d = 0; d < 3; d++) {
            double offset = p[c][d] - centre[d];
            force[d] = b->pressure[e] * offset - stiffness * (offset - rest[c][d]);
            b->energy[e] += 0.5 * stiffness * (offset - rest[c][d]) * (offset - rest[c][d]);
        }
        b->fx[corner[c]] += force[0];
        b->fy[corner[c]] += force[1];
        b->fz[corner[c]] += force[2];
    }
}

static void step(struct block *b, struct shared *s, double dt)
{
    for (int n = 0; n < b->nodes; n++)
        b->fx[n] = b->fy[n] = b->fz[n] = 0;
    for (int e = 0; e < b->elements; e++)
        element_forces(b, e);
    add_shared(s, b, b->fx, b->fy, b->fz);
    for (int n = 0; n < b->nodes; n++) {
        double scale = dt / b->mass[n];
        b->vx[n] += scale * b->fx[n];
        b->vy[n] += scale * b->fy[n];
        b->vz[n] += scale * b->fz[n];
        b->x[n] += dt * b->vx[n];
        b->y[n] += dt * b->vy[n];
        b->z[n] += dt * b->vz[n];
    }
}

/* Energy of the elements, and momentum; a shared node counts for the rank below only. */
static void totals(struct block *b, double *energy, double *momentum)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double local[4] = {0}, all[4];
    for (int e = 0; e < b->elements; e++)
        local[0] += b->energy[e];
    for (int n = rank > 0 ? b->plane : 0; n < b->nodes; n++) {
        local[1] += b->mass[n] * b->vx[n];
        local[2] += b->mass[n] * b->vy[n];
        local[3] += b->mass[n] * b->vz[n];
    }
    MPI_Allreduce(local, all, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    *energy = all[0];
    *momentum = fabs(all[1]) + fabs(all[2]) + fabs(all[3]);
}

/* Whether the shared planes are bit for bit the same on both sides. */
static int planes_agree(struct block *b)
{
    int rank, size, equal = 1;
    double *below = measure_doubles(b->plane);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *fields[3] = {b->x, b->y, b->z};
    for (int f = 0; f < 3; f++) {
        MPI_Sendrecv(fields[f] + b->nodes - b->plane, b->plane, MPI_DOUBLE, rank < size - 1 ? rank + 1 : MPI_PROC_NULL,
                     f, below, b->plane, MPI_DOUBLE, rank > 0 ? rank - 1 : MPI_PROC_NULL, f, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int n = 0; rank > 0 && n < b->plane; n++)
            equal = equal && below[n] == fields[f][n];
    }
    free(below);
    return equal;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int side = (int)measure_argument(argc, argv, 1, 24, 2);
    int steps = (int)measure_argument(argc, argv, 2, 20, 1);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    struct block b;
    struct shared s;
    block_create(&b, side, rank);
    shared_create(&s, &b);
    double *none = measure_doubles(2 * (size_t)b.nodes);
    add_shared(&s, &b, b.mass, none, none + b.nodes);
    free(none);

    double start_energy, energy, momentum;
    step(&b, &s, 0);
    totals(&b, &start_energy, &momentum);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < steps; i++)
        step(&b, &s, 0.05);
    double seconds = MPI_Wtime() - begin;

    totals(&b, &energy, &momentum);
    int verified = planes_agree(&b) && momentum < 1e-9 * b.nodes && energy > 0 && energy <= 1.01 * start_energy;
    double bytes = 6.0 * sizeof(double) * b.plane;
    int status = measure_report("dynamics", seconds, steps, bytes, verified);
    MPI_Group_free(&s.group);
    MPI_Win_free(&s.win);
    MPI_Finalize();
    return status;
}
