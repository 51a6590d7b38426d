/* euler3d: compressible Euler equations in three dimensions, finite volumes, two-stage Runge-Kutta.
 *
 * Check: on a closed or periodic domain mass and energy are kept to rounding; the advected wave is compared with its
 * exact solution; densities and pressures stay positive. */
#include "euler.h"

#include <math.h>
#include <stdlib.h>

static void axpy(const struct block *b, double *const to[NVAR], double *const a[NVAR], double *const rate[NVAR],
                 double dt)
{
    for (int v = 0; v < NVAR; v++)
        for (int k = GHOST; k < GHOST + b->cells[2]; k++)
            for (int j = GHOST; j < GHOST + b->cells[1]; j++)
                for (int i = GHOST; i < GHOST + b->cells[0]; i++) {
                    size_t c = at(b, i, j, k);
                    to[v][c] = a[v][c] + dt * rate[v][c];
                }
}

static void average(const struct block *b, double *const to[NVAR], double *const other[NVAR])
{
    for (int v = 0; v < NVAR; v++)
        for (int k = GHOST; k < GHOST + b->cells[2]; k++)
            for (int j = GHOST; j < GHOST + b->cells[1]; j++)
                for (int i = GHOST; i < GHOST + b->cells[0]; i++) {
                    size_t c = at(b, i, j, k);
                    to[v][c] = 0.5 * (to[v][c] + other[v][c]);
                }
}

/* One step of Heun's method. */
static void advance(const struct deck *deck, const struct block *b, struct halo *halo, struct state *s, double dt)
{
    halo_exchange(halo, b, deck, s->u);
    time_derivative(deck, b, s->u, s->rate);
    axpy(b, s->next, s->u, s->rate, dt);
    halo_exchange(halo, b, deck, s->next);
    time_derivative(deck, b, s->next, s->rate);
    axpy(b, s->next, s->next, s->rate, dt);
    average(b, s->u, s->next);
    s->time += dt;
    s->step++;
}

static void report(const struct block *b, const struct state *s, const struct totals *t, double dt)
{
    if (b->rank != 0) return;
    printf("step %5d t %.6f dt %.3e mass %.12f energy %.12f kinetic %.6f rho %.4f..%.4f p >= %.4f\n", s->step,
           s->time, dt, t->mass, t->energy, t->kinetic, t->rho_min, t->rho_max, t->p_min);
}

static int closed(const struct deck *deck)
{
    for (int d = 0; d < DIMS; d++)
        if (deck->boundary[d] == BOUND_OUTFLOW) return 0;
    return 1;
}

static int check(const struct deck *deck, const struct block *b, const struct state *s, const struct totals *begin,
                 const struct totals *end)
{
    int bad = 0;
    double mass = fabs(end->mass - begin->mass) / begin->mass;
    double energy = fabs(end->energy - begin->energy) / begin->energy;
    double error = 0.0, bound = 0.0;
    if (closed(deck) && (!(mass < 1e-12) || !(energy < 1e-12))) bad |= 1;
    if (!(end->rho_min > 0.0) || !(end->p_min > 0.0)) bad |= 2;
    if (deck->problem == PROBLEM_WAVE) {
        double h = b->width[deck->axis] / deck->length[deck->axis];
        error = density_error(deck, b, s);
        /* Second order in smooth parts, first at extrema; first order everywhere without slopes. */
        bound = deck->limiter == LIMIT_NONE ? 2.0 * h : 0.2 * h;
        if (!(error < bound)) bad |= 4;
    }
    if (b->rank == 0) {
        printf("check: mass drift %.1e, energy drift %.1e, density error %.2e (bound %.2e): %s\n", mass, energy, error,
               bound, bad ? "FAILED" : "passed");
    }
    return bad;
}

int main(int argc, char **argv)
{
    struct deck deck;
    struct block block;
    struct state state;
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    deck_defaults(&deck);
    int verdict = deck_arguments(&deck, argc, argv, rank);
    if (rank == 0 && verdict == 0) verdict = deck_validate(&deck, ranks);
    MPI_Bcast(&verdict, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (verdict != 0) {
        MPI_Finalize();
        return verdict > 0 ? EXIT_SUCCESS : 2;
    }
    deck_broadcast(&deck, MPI_COMM_WORLD);
    if (block_create(&block, &deck, MPI_COMM_WORLD) != 0) {
        MPI_Finalize();
        return 2;
    }
    if (block.rank == 0) {
        printf("euler3d: %d ranks as %d x %d x %d blocks\n", ranks, block.blocks[0], block.blocks[1],
               block.blocks[2]);
        deck_print(&deck, stdout);
    }
    if (deck.verbose)
        printf("rank %d: cells %d x %d x %d from %d,%d,%d\n", block.rank, block.cells[0], block.cells[1],
               block.cells[2], block.first[0], block.first[1], block.first[2]);

    state_create(&state, &block);
    struct halo *halo = halo_create(&block);
    initial_state(&deck, &block, &state);
    if (deck.restart[0] != '\0' && checkpoint_read(&deck, &block, &state) != 0)
        stop(block.comm, "the restart failed");

    struct totals begin, now;
    totals_of(&deck, &block, state.u, &begin);
    report(&block, &state, &begin, 0.0);
    double started = MPI_Wtime(), dt = 0.0;
    while (state.step < deck.max_steps && state.time < deck.end_time) {
        dt = deck.cfl / largest_speed(&deck, &block, state.u);
        if (state.time + dt > deck.end_time) dt = deck.end_time - state.time;
        advance(&deck, &block, halo, &state, dt);
        if (deck.report_every > 0 && state.step % deck.report_every == 0) {
            totals_of(&deck, &block, state.u, &now);
            report(&block, &state, &now, dt);
            if (!(now.rho_min > 0.0) || !(now.p_min > 0.0)) break;
        }
        if (deck.checkpoint_every > 0 && state.step % deck.checkpoint_every == 0 &&
            checkpoint_write(&deck, &block, &state) != 0)
            stop(block.comm, "the checkpoint failed");
    }
    double seconds = MPI_Wtime() - started;
    totals_of(&deck, &block, state.u, &now);
    report(&block, &state, &now, dt);
    if (deck.checkpoint[0] != '\0' && checkpoint_write(&deck, &block, &state) != 0)
        stop(block.comm, "the checkpoint failed");
    if (deck.slice[0] != '\0' && slice_write(&deck, &block, &state) != 0) stop(block.comm, "the slice failed");

    double mine[2] = {(double)halo_bytes(halo), halo_seconds(halo)}, worst[2];
    MPI_Reduce(mine, worst, 2, MPI_DOUBLE, MPI_MAX, 0, block.comm);
    if (block.rank == 0)
        printf("%d steps in %.3f s, ghost cells %.3f s, at most %.0f bytes put by a rank\n", state.step, seconds,
               worst[1], worst[0]);
    int bad = check(&deck, &block, &state, &begin, &now);
    halo_free(halo);
    state_free(&state);
    block_free(&block);
    MPI_Finalize();
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
