/* rmatgraph: searches, page rank, components and triangles of an R-MAT graph.
 *
 * Check: trees are trees of the graph, ranks sum to one, and up to scale 14 all answers are compared with those of
 * plain algorithms on rank 0. */
#include "graph.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(void)
{
    fprintf(stderr,
            "usage: rmatgraph [options] [ALGORITHM]...\n"
            "algorithms: bfs, pagerank, components, triangles (default: all)\n"
            "  -s, --scale N         2^N vertices, 2 to 26 (7)\n"
            "  -f, --edge-factor N   edges a vertex, 1 to 64 (6)\n"
            "  -r, --seed N          of the graph (1)\n"
            "  -q, --quadrants A,B,C probabilities of R-MAT (0.57,0.19,0.19)\n"
            "  -n, --roots N         searches, 1 to 64 (2)\n"
            "  -i, --iterations N    of page rank (10)\n"
            "  -d, --damping X       of page rank (0.85)\n"
            "  -t, --tolerance X     change at which page rank ends (1e-8)\n"
            "  -m, --scatter MODE    page rank: dense, edges, requests (dense)\n"
            "  -v, --verbose\n");
}

static int whole_number(const char *text, long low, long high, long *to)
{
    char *end;
    errno = 0;
    *to = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *to >= low && *to <= high ? 0 : -1;
}

static int fraction(const char *text, double *to)
{
    char *end;
    *to = strtod(text, &end);
    return end != text && *end == '\0' && *to >= 0.0 && *to <= 1.0 ? 0 : -1;
}

static int parse(int argc, char **argv, struct options *o)
{
    static const struct option names[] = {{"scale", required_argument, NULL, 's'},
                                          {"edge-factor", required_argument, NULL, 'f'},
                                          {"seed", required_argument, NULL, 'r'},
                                          {"quadrants", required_argument, NULL, 'q'},
                                          {"roots", required_argument, NULL, 'n'},
                                          {"iterations", required_argument, NULL, 'i'},
                                          {"damping", required_argument, NULL, 'd'},
                                          {"tolerance", required_argument, NULL, 't'},
                                          {"scatter", required_argument, NULL, 'm'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    int c, bad = 0;
    long n = 0;
    *o = (struct options){.scale = 7, .edge_factor = 6, .seed = 1, .a = 0.57, .b = 0.19, .c = 0.19, .roots = 2,
                          .iterations = 10, .damping = 0.85, .tolerance = 1e-8};
    while (!bad && (c = getopt_long(argc, argv, "s:f:r:q:n:i:d:t:m:vh", names, NULL)) != -1) {
        switch (c) {
        case 's': bad = whole_number(optarg, 2, 26, &n); o->scale = (int)n; break;
        case 'f': bad = whole_number(optarg, 1, 64, &n); o->edge_factor = (int)n; break;
        case 'r': bad = whole_number(optarg, 0, 1L << 40, &n); o->seed = (uint64_t)n; break;
        case 'n': bad = whole_number(optarg, 1, 64, &n); o->roots = (int)n; break;
        case 'i': bad = whole_number(optarg, 1, 1000, &n); o->iterations = (int)n; break;
        case 'd': bad = fraction(optarg, &o->damping); break;
        case 't': bad = fraction(optarg, &o->tolerance); break;
        case 'q':
            bad = sscanf(optarg, "%lf,%lf,%lf", &o->a, &o->b, &o->c) != 3 || o->a < 0 || o->b < 0 || o->c < 0 ||
                  o->a + o->b + o->c > 1.0;
            break;
        case 'm':
            if (strcmp(optarg, "dense") == 0) o->scatter = 0;
            else if (strcmp(optarg, "edges") == 0) o->scatter = 1;
            else if (strcmp(optarg, "requests") == 0) o->scatter = 2;
            else bad = 1;
            break;
        case 'v': o->verbose = 1; break;
        case 'h': usage(); return 1;
        default: usage(); return -1;
        }
        if (bad) fprintf(stderr, "rmatgraph: bad value for -%c: %s\n", c, optarg);
    }
    if (bad) return -1;
    if (optind == argc) o->run_bfs = o->run_rank = o->run_components = o->run_triangles = 1;
    for (int i = optind; i < argc; i++) {
        if (strcmp(argv[i], "bfs") == 0) {
            o->run_bfs = 1;
        } else if (strcmp(argv[i], "pagerank") == 0) {
            o->run_rank = 1;
        } else if (strcmp(argv[i], "components") == 0) {
            o->run_components = 1;
        } else if (strcmp(argv[i], "triangles") == 0) {
            o->run_triangles = 1;
        } else {
            fprintf(stderr, "rmatgraph: no such algorithm: %s\n", argv[i]);
            usage();
            return -1;
        }
    }
    return 0;
}

/* A root that has neighbours: all ranks agree on the first at or after a hash of its number. */
static vertex pick_root(const struct graph *g, int number)
{
    vertex wish = (vertex)((uint64_t)(number + 1) * 0x9e3779b1ULL % (uint64_t)g->vertices);
    vertex mine = 2 * g->vertices, best;
    for (vertex v = 0; v < g->local; v++) {
        if (g->begin[v + 1] == g->begin[v]) continue;
        vertex distance = (g->first + v - wish + g->vertices) % g->vertices;
        if (distance < mine) mine = distance;
    }
    MPI_Allreduce(&mine, &best, 1, VERTEX, MPI_MIN, g->comm);
    if (best >= g->vertices) return NOBODY;
    return (wish + best) % g->vertices;
}

static void describe(const struct graph *g, const struct options *o)
{
    vertex degree = 0, mine[2], sums[2], most[2];
    for (vertex v = 0; v < g->local; v++)
        if (g->begin[v + 1] - g->begin[v] > degree) degree = g->begin[v + 1] - g->begin[v];
    mine[0] = g->edges;
    mine[1] = degree;
    MPI_Reduce(mine, sums, 2, VERTEX, MPI_SUM, 0, g->comm);
    MPI_Reduce(mine, most, 2, VERTEX, MPI_MAX, 0, g->comm);
    if (g->rank == 0)
        printf("rmatgraph: %ld vertices, %ld directed edges (at most %ld a rank), largest degree %ld, seed %lu\n",
               (long)g->vertices, (long)sums[0], (long)most[0], (long)most[1], (unsigned long)o->seed);
}

int main(int argc, char **argv)
{
    struct options options;
    struct graph graph;
    int rank, ranks, verdict = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) verdict = parse(argc, argv, &options);
    MPI_Bcast(&verdict, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (verdict != 0) {
        MPI_Finalize();
        return verdict > 0 ? EXIT_SUCCESS : 2;
    }
    MPI_Bcast(&options, (int)sizeof options, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (ranks > 1 << options.scale) {
        if (rank == 0) fprintf(stderr, "rmatgraph: %d vertices are too few for %d ranks\n", 1 << options.scale, ranks);
        MPI_Finalize();
        return 2;
    }
    graph_build(&graph, &options, MPI_COMM_WORLD);
    describe(&graph, &options);

    size_t local = (size_t)graph.local;
    vertex *parent = need(local, sizeof *parent), *level = need(local, sizeof *level);
    vertex *label = need(local, sizeof *label);
    double *score = need(local, sizeof *score);
    vertex root = NOBODY, wrong = 0, triangle_count = -1;
    int searched = 0;
    for (int i = 0; options.run_bfs && i < options.roots; i++) {
        root = pick_root(&graph, i);
        if (root == NOBODY) break;
        struct search s = breadth_first(&graph, root, parent);
        levels_from_parents(&graph, root, parent, level);
        wrong += check_tree(&graph, root, parent, level);
        searched++;
        if (rank == 0)
            printf("search from %ld: %ld vertices in %d levels, %.4f s\n", (long)root, (long)s.reached, s.levels,
                   s.seconds);
    }
    double sum = 1.0;
    if (options.run_rank) {
        struct ranking r = page_rank(&graph, &options, score);
        sum = r.sum;
        if (rank == 0)
            printf("page rank: %d iterations, sum %.12f, change %.2e, %.4f s\n", r.iterations, r.sum, r.change,
                   r.seconds);
    }
    if (options.run_components) {
        int rounds;
        vertex count = components(&graph, label, &rounds);
        if (rank == 0) printf("components: %ld in %d rounds\n", (long)count, rounds);
    }
    if (options.run_triangles) {
        vertex fetched;
        triangle_count = triangles(&graph, &fetched);
        if (rank == 0) printf("triangles: %ld, rank 0 fetched %ld lists\n", (long)triangle_count, (long)fetched);
    }
    int bad = verify(&graph, &options, root, searched > 0 ? level : NULL, options.run_rank ? score : NULL,
                     options.run_components ? label : NULL, triangle_count);
    if (wrong > 0) bad |= 32;
    if (!(fabs(sum - 1.0) < 1e-9)) bad |= 64;
    if (rank == 0)
        printf("check: %ld wrong in trees, ranks sum to %.12f, comparison %#x: %s\n", (long)wrong, sum, bad,
               bad ? "FAILED" : "passed");
    free(parent);
    free(level);
    free(label);
    free(score);
    graph_free(&graph);
    MPI_Finalize();
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
