/* sparsecg: Krylov solvers for distributed sparse matrices, with ghost entries by post, start, complete and wait.
 *
 * Check: the right side is made from a known solution, so the error of the result is known; the ghost entries of a
 * vector that holds its own row numbers are compared one by one; and the residual is computed afresh. */
#include "sparse.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void usage(FILE *to)
{
    fprintf(to, "usage: sparsecg [options]\n"
                "  -m MATRIX   poisson2 (default), poisson3, anisotropic, random, or a Matrix Market file\n"
                "  -n N        points a direction (rows, for random); default 16\n"
                "  -e NUMBER   anisotropy, or dominance of the random matrix (0.1)\n"
                "  -d N        entries a row of the random matrix (4)\n"
                "  -r SEED     of the random matrix (1)\n"
                "  -a METHOD   cg (default), pipelined, bicgstab\n"
                "  -p PRE      none, jacobi (default), ssor\n"
                "  -w WAY      push (default): puts of packed entries; pull: gets with indexed types\n"
                "  -t NUMBER   relative residual to reach (1e-9)\n"
                "  -i N        at most that many iterations (500)\n"
                "  -k N        solves, one after the other (1)\n"
                "  -v          residuals as they fall\n");
}

static int number(const char *text, long low, long high, long *out)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < low || value > high) return -1;
    *out = value;
    return 0;
}

static int real(const char *text, double low, double high, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= low && value <= high)) return -1;
    *out = value;
    return 0;
}

static int choose(const char *text, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(text, names[i]) == 0) return i;
    return -1;
}

/* 0: go on; 1: help; -1: wrong. */
static int parse(int argc, char **argv, struct options *o, int rank)
{
    static const char *const generators[] = {"poisson2", "poisson3", "anisotropic", "random", NULL};
    static const char *const methods[] = {"cg", "pipelined", "bicgstab", NULL};
    static const char *const preconditioners[] = {"none", "jacobi", "ssor", NULL};
    static const char *const ways[] = {"push", "pull", NULL};
    int option, which, bad = 0;
    long value;
    opterr = rank == 0;
    memset(o, 0, sizeof *o);
    o->generator = GEN_POISSON2;
    o->n = 16;
    o->epsilon = 0.1;
    o->degree = 4;
    o->seed = 1;
    o->method = METHOD_CG;
    o->preconditioner = PRE_JACOBI;
    o->way = WAY_PUSH;
    o->tolerance = 1e-9;
    o->iterations = 500;
    o->repeats = 1;
    while ((option = getopt(argc, argv, "m:n:e:d:r:a:p:w:t:i:k:vh")) != -1 && !bad) {
        switch (option) {
        case 'm':
            which = choose(optarg, generators);
            if (which >= 0) {
                o->generator = (enum generator)which;
            } else if (strlen(optarg) < sizeof o->file) {
                o->generator = GEN_FILE;
                strcpy(o->file, optarg);
            } else {
                bad = option;
            }
            break;
        case 'n':
            if (number(optarg, 1, 100000, &value) != 0) bad = option;
            else o->n = (int)value;
            break;
        case 'e':
            if (real(optarg, 1e-6, 1e6, &o->epsilon) != 0) bad = option;
            break;
        case 'd':
            if (number(optarg, 0, 64, &value) != 0) bad = option;
            else o->degree = (int)value;
            break;
        case 'r':
            if (number(optarg, 0, 1 << 20, &value) != 0) bad = option;
            else o->seed = (unsigned)value;
            break;
        case 'a':
            if ((which = choose(optarg, methods)) < 0) bad = option;
            else o->method = (enum method)which;
            break;
        case 'p':
            if ((which = choose(optarg, preconditioners)) < 0) bad = option;
            else o->preconditioner = (enum preconditioner)which;
            break;
        case 'w':
            if ((which = choose(optarg, ways)) < 0) bad = option;
            else o->way = (enum way)which;
            break;
        case 't':
            if (real(optarg, 1e-14, 0.5, &o->tolerance) != 0) bad = option;
            break;
        case 'i':
            if (number(optarg, 1, 1000000, &value) != 0) bad = option;
            else o->iterations = (int)value;
            break;
        case 'k':
            if (number(optarg, 1, 1000, &value) != 0) bad = option;
            else o->repeats = (int)value;
            break;
        case 'v': o->verbose = 1; break;
        case 'h':
            if (rank == 0) usage(stdout);
            return 1;
        default:
            if (rank == 0) usage(stderr);
            return -1;
        }
    }
    if (bad) {
        if (rank == 0) fprintf(stderr, "sparsecg: bad value for -%c\n", bad);
        return -1;
    }
    if (optind != argc) {
        if (rank == 0) usage(stderr);
        return -1;
    }
    return 0;
}

static long rows_of(const struct options *o)
{
    switch (o->generator) {
    case GEN_POISSON2:
    case GEN_ANISOTROPIC: return (long)o->n * o->n;
    case GEN_POISSON3: return (long)o->n * o->n * o->n;
    case GEN_RANDOM: return o->n;
    default: return -1;
    }
}

/* The known solution at a row. */
static double known(long row, long rows)
{
    double x = (double)row / (double)rows;
    return sin(9.0 * x) + 0.5 * cos(31.0 * x) + 0.01 * (double)(row % 7);
}

/* Gathers a vector of row numbers, and counts ghosts that hold another number. */
static int wrong_ghosts(const struct matrix *a, struct gather *g)
{
    const struct layout *l = a->layout;
    double *x = xmalloc((size_t)l->local * sizeof *x);
    for (int i = 0; i < l->local; i++) x[i] = (double)(l->start[l->rank] + i);
    gather_begin(g, x);
    gather_end(g);
    int wrong = 0, all = 0;
    for (int i = 0; i < a->ghosts; i++)
        if (g->ghost[i] != (double)a->ghost[i]) wrong++;
    free(x);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, l->comm);
    return all;
}

static void describe(const struct matrix *a, const struct gather *g)
{
    const struct layout *l = a->layout;
    long mine[3] = {a->first[l->local], a->ghosts, g->neighbours}, sums[3], most[3];
    MPI_Reduce(mine, sums, 3, MPI_LONG, MPI_SUM, 0, l->comm);
    MPI_Reduce(mine, most, 3, MPI_LONG, MPI_MAX, 0, l->comm);
    if (l->rank == 0)
        printf("%ld rows, %ld entries, %ld ghosts (at most %ld a rank), at most %ld neighbours, %s\n", l->rows, sums[0],
               sums[1], most[1], most[2], g->way == WAY_PUSH ? "push" : "pull");
}

int main(int argc, char **argv)
{
    struct options options;
    struct layout layout;
    struct matrix matrix;
    struct gather gather;
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int verdict = parse(argc, argv, &options, rank);
    if (verdict != 0) {
        MPI_Finalize();
        return verdict > 0 ? EXIT_SUCCESS : 2;
    }
    long rows = rows_of(&options);
    if (options.generator == GEN_FILE && matrix_file_rows(options.file, &rows, MPI_COMM_WORLD) != 0) {
        MPI_Finalize();
        return 2;
    }
    if (rows < ranks) {
        if (rank == 0) fprintf(stderr, "sparsecg: %ld rows are too few for %d ranks\n", rows, ranks);
        MPI_Finalize();
        return 2;
    }
    layout_create(&layout, rows, MPI_COMM_WORLD);
    int bad = options.generator == GEN_FILE ? matrix_read(&matrix, &layout, options.file)
                                            : matrix_generate(&matrix, &layout, &options);
    if (bad) die("the matrix has rows without a diagonal entry, or cannot be read");
    gather_create(&gather, &matrix, options.way);
    describe(&matrix, &gather);

    int wrong = wrong_ghosts(&matrix, &gather);
    double asymmetry = matrix_asymmetry(&matrix, &gather);
    if (asymmetry > 1e-12 && options.method != METHOD_BICGSTAB) {
        if (rank == 0) fprintf(stderr, "sparsecg: the matrix is not symmetric; -a bicgstab\n");
        bad = 2;
    }

    size_t bytes = (size_t)layout.local * sizeof(double);
    double *solution = xmalloc(bytes), *b = xmalloc(bytes), *x = xmalloc(bytes);
    double worst = 0.0;
    for (int k = 0; k < options.repeats && !bad; k++) {
        for (int i = 0; i < layout.local; i++)
            solution[i] = known(layout.start[rank] + i, rows) + 0.1 * k;
        multiply(&matrix, &gather, solution, b);
        memset(x, 0, bytes);
        double begin = MPI_Wtime();
        struct outcome out = solve(&matrix, &gather, &options, b, x);
        double seconds = MPI_Wtime() - begin;
        double size = sqrt(dot(&layout, solution, solution));
        for (int i = 0; i < layout.local; i++) x[i] -= solution[i];
        double error = sqrt(dot(&layout, x, x)) / size;
        if (error > worst) worst = error;
        if (!out.converged) bad = 1;
        if (rank == 0)
            printf("solve %d: %d iterations, residual %.3e, error %.3e, %.4f s%s\n", k, out.iterations, out.residual,
                   error, seconds, out.converged ? "" : ", not converged");
    }
    /* The error is at most the condition number times the relative residual. */
    if (!bad && (wrong > 0 || !(worst < 1e5 * options.tolerance))) bad = 1;
    if (rank == 0)
        printf("check: %d wrong ghosts, asymmetry %.1e, error %.2e, %ld exchanges: %s\n", wrong, asymmetry, worst,
               gather.exchanges, bad ? "FAILED" : "passed");
    free(solution);
    free(b);
    free(x);
    gather_free(&gather);
    matrix_free(&matrix);
    layout_free(&layout);
    MPI_Finalize();
    return bad;
}
