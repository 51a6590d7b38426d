/* Three tracers and some floats in a uniform current on a periodic grid. */
#include "tracer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rank 0 fetches the dye of all strips, and writes it. */
static int write_dye(const Fields *f, const Settings *s, MPI_Comm comm) {
    int rank, ranks, failed = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int mine[2] = {f->first_row, f->rows};
    int *parts = malloc(2 * (size_t)ranks * sizeof(int));
    MPI_Allgather(mine, 2, MPI_INT, parts, 2, MPI_INT, comm);
    MPI_Win window;
    MPI_Win_create(f->dye, (MPI_Aint)((size_t)(f->rows + 2) * f->columns * sizeof(double)), sizeof(double),
                   MPI_INFO_NULL, comm, &window);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    double *whole = NULL;
    if (rank == 0) {
        whole = malloc((size_t)s->cells_x * s->cells_y * sizeof(double));
        for (int r = 0; r < ranks; r++) {
            int cells = parts[2 * r + 1] * f->columns;
            MPI_Get(whole + (size_t)parts[2 * r] * f->columns, cells, MPI_DOUBLE, r, f->columns, cells, MPI_DOUBLE,
                    window);
        }
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    if (rank == 0) {
        FILE *out = fopen(s->output, "w");
        if (out == NULL) {
            failed = 1;
        } else {
            for (int i = 0; i < s->cells_x * s->cells_y; i++) fprintf(out, "%.9g\n", whole[i]);
            fclose(out);
        }
        free(whole);
    }
    MPI_Win_free(&window);
    free(parts);
    MPI_Bcast(&failed, 1, MPI_INT, 0, comm);
    return failed;
}

static void report(const Fields *f, int step, int floats, MPI_Comm comm) {
    double mine[4] = {fields_total(f, f->salt), fields_total(f, f->heat), fields_total(f, f->dye), floats}, all[4];
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Reduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, 0, comm);
    if (rank == 0) printf("%6d %16.8f %16.8f %16.8f %6.0f\n", step, all[0], all[1], all[2], all[3]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    Settings s;
    settings_default(&s);
    int said = settings_parse(&s, argc, argv);
    if (said != 0) {
        MPI_Finalize();
        return said < 0 ? 2 : 0;
    }
    if (rank == 0) settings_print(&s, stdout);
    Fields f;
    if (fields_make(&f, &s, comm) != 0) {
        if (rank == 0) fprintf(stderr, "tracer: more ranks than rows\n");
        MPI_Finalize();
        return 2;
    }
    fields_start(&f, &s);
    Particle *floats = malloc(((size_t)s.particles + 1) * sizeof *floats);
    int count = 0;
    for (int i = 0; i < s.particles; i++) {
        double y = fmod(0.37 * (i + 1), 1.0) * s.cells_y;
        int row = (int)floor(y);
        if (row < f.first_row || row >= f.first_row + f.rows) continue;
        floats[count] = (Particle){.x = fmod(0.73 * (i + 1), 1.0) * s.cells_x, .y = y, .id = i, .kind = 'a'};
        floats[count++].kind += (char)(i % 3);
    }
    Rows rows;
    rows_make(&rows, &f, s.transport, comm);
    Mailbox box;
    mailbox_make(&box, s.particles + 1, comm);
    double before = fields_total(&f, f.salt), after;
    MPI_Allreduce(MPI_IN_PLACE, &before, 1, MPI_DOUBLE, MPI_SUM, comm);
    for (int step = 1; step <= s.steps; step++) {
        rows_exchange(&rows, &f);
        fields_step(&f, &s);
        count = particles_move(&box, floats, count, &f, &s);
        if (step % s.report_every == 0) report(&f, step, count, comm);
    }
    after = fields_total(&f, f.salt);
    MPI_Allreduce(MPI_IN_PLACE, &after, 1, MPI_DOUBLE, MPI_SUM, comm);
    int here = count;
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, comm);
    int wrong = fabs(after - before) > 1e-9 * fabs(before) || count != s.particles;
    if (s.output[0] != '\0' && write_dye(&f, &s, comm) != 0) wrong = 1;
    if (rank == 0) printf("check: %s (salt %.10g, was %.10g; %d floats, %d here)\n", wrong ? "failed" : "passed", after,
                          before, count, here);
    mailbox_free(&box);
    rows_free(&rows);
    fields_free(&f);
    free(floats);
    MPI_Finalize();
    return wrong;
}
