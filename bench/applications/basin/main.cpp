// basin: shallow water in a closed basin on an unstructured mesh.
//
// Check: the mass of water is kept, its energy does not grow, water at rest stays at rest, and the result equals that
// of the same steps on the whole mesh on rank 0.
#include "water.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <unistd.h>

namespace basin {
namespace {

struct Options {
    int n = 10;
    double disorder = 0.3;
    std::uint64_t seed = 3;
    std::string mesh;
    Problem problem = Problem::Dam;
    Method method = Method::Bisection;
    Exchange exchange = Exchange::PutFence;
    double gravity = 9.81;
    double courant = 0.6;
    double end = 0.05;
    int steps = 100;
    int every = 5; // steps between samples of the gauges
    std::string vtk;
    bool compare = true;
};

[[noreturn]] void usage_error(const std::string &why) {
    throw Error(why + "\nusage: basin [-n BOXES] [-m MESH] [-d DISORDER] [-s SEED] [-p dam|rest|drop]\n"
                      "             [-P bisection|growing|striped] [-x put-fence|get-fence|put-lock|get-lock]\n"
                      "             [-g GRAVITY] [-c COURANT] [-t END] [-i STEPS] [-e EVERY] [-o FILE.vtk] [-S]");
}

double real(char option, const char *text, double low, double high) {
    char *end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= low && value <= high))
        usage_error(std::string("-") + option + ": not in range: " + text);
    return value;
}

int whole(char option, const char *text, int low, int high) {
    const double value = real(option, text, low, high);
    if (value != std::floor(value)) usage_error(std::string("-") + option + ": not a whole number: " + text);
    return static_cast<int>(value);
}

template <class T, std::size_t N>
T choice(char option, const char *text, const std::array<std::pair<const char *, T>, N> &names) {
    for (const auto &[name, value] : names)
        if (std::strcmp(name, text) == 0) return value;
    usage_error(std::string("-") + option + ": no such choice: " + text);
}

Options parse(int argc, char **argv) {
    constexpr std::array<std::pair<const char *, Problem>, 3> problems = {
        {{"dam", Problem::Dam}, {"rest", Problem::Rest}, {"drop", Problem::Drop}}};
    constexpr std::array<std::pair<const char *, Method>, 3> methods = {
        {{"bisection", Method::Bisection}, {"growing", Method::Growing}, {"striped", Method::Striped}}};
    constexpr std::array<std::pair<const char *, Exchange>, 4> exchanges = {{{"put-fence", Exchange::PutFence},
                                                                            {"get-fence", Exchange::GetFence},
                                                                            {"put-lock", Exchange::PutLock},
                                                                            {"get-lock", Exchange::GetLock}}};
    Options o;
    int option;
    opterr = 0;
    while ((option = getopt(argc, argv, "n:m:d:s:p:P:x:g:c:t:i:e:o:S")) != -1) {
        const char letter = static_cast<char>(option);
        switch (option) {
        case 'n': o.n = whole(letter, optarg, 1, 10000); break;
        case 'm': o.mesh = optarg; break;
        case 'd': o.disorder = real(letter, optarg, 0.0, 0.6); break;
        case 's': o.seed = static_cast<std::uint64_t>(whole(letter, optarg, 0, 1 << 30)); break;
        case 'p': o.problem = choice(letter, optarg, problems); break;
        case 'P': o.method = choice(letter, optarg, methods); break;
        case 'x': o.exchange = choice(letter, optarg, exchanges); break;
        case 'g': o.gravity = real(letter, optarg, 0.1, 100.0); break;
        case 'c': o.courant = real(letter, optarg, 0.01, 0.95); break;
        case 't': o.end = real(letter, optarg, 0.0, 1e6); break;
        case 'i': o.steps = whole(letter, optarg, 0, 1000000000); break;
        case 'e': o.every = whole(letter, optarg, 1, 1000000000); break;
        case 'o': o.vtk = optarg; break;
        case 'S': o.compare = false; break;
        default: usage_error("what is -" + std::string(1, static_cast<char>(optopt)) + "?");
        }
    }
    if (optind != argc) usage_error(std::string("what is ") + argv[optind] + "?");
    return o;
}

struct Totals {
    double mass = 0.0, energy = 0.0, fastest = 0.0;
};

Totals totals(MPI_Comm comm, const Water &water, const State &state, int owned) {
    double sums[2] = {}, fastest = 0.0;
    for (int i = 0; i < owned; i++) {
        const auto &u = state[static_cast<std::size_t>(i)];
        sums[0] += water.cell(i).area * u[0];
        sums[1] += water.energy(state, i);
        if (u[0] > 1e-8) fastest = std::max(fastest, std::hypot(u[1], u[2]) / u[0]);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &fastest, 1, MPI_DOUBLE, MPI_MAX, comm);
    return {sums[0], sums[1], fastest};
}

double time_step(const Options &o, const Water &water, const State &state, int owned) {
    double dt = 1e300;
    for (int i = 0; i < owned; i++) dt = std::min(dt, water.limit(state, i));
    return o.courant * dt;
}

void update(const Water &water, const std::vector<int> &which, const State &from, State &to, double dt) {
    for (const int i : which) {
        std::array<double, fields> rate{};
        water.rate(from, i, rate);
        for (std::size_t k = 0; k < fields; k++)
            to[static_cast<std::size_t>(i)][k] = from[static_cast<std::size_t>(i)][k] + dt * rate[k];
    }
}

// The same steps on the whole mesh.
State serial(const Options &o, const Mesh &mesh, const std::vector<double> &steps) {
    const Water water(mesh.cells, o.problem, o.gravity);
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(mesh.cells.size()); i++) all.push_back(i);
    State state = water.initial(static_cast<int>(all.size())), next = state;
    for (const double dt : steps) {
        update(water, all, state, next, dt);
        state.swap(next);
    }
    return state;
}

void write_vtk(const std::string &name, const Mesh &mesh, const State &state) {
    std::ofstream out(name);
    if (!out) throw Error("cannot write " + name);
    out << "# vtk DataFile Version 3.0\nbasin\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " << mesh.points.size()
        << " double\n";
    for (const Point p : mesh.points) out << p.x << ' ' << p.y << " 0\n";
    out << "CELLS " << mesh.cells.size() << ' ' << 4 * mesh.cells.size() << '\n';
    for (const Cell &c : mesh.cells) out << "3 " << c.corners[0] << ' ' << c.corners[1] << ' ' << c.corners[2] << '\n';
    out << "CELL_TYPES " << mesh.cells.size() << '\n';
    for (std::size_t i = 0; i < mesh.cells.size(); i++) out << "5\n";
    out << "CELL_DATA " << mesh.cells.size() << "\nSCALARS depth double 1\nLOOKUP_TABLE default\n";
    for (const auto &u : state) out << u[0] << '\n';
}

int run(int argc, char **argv) {
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    Options o;
    Mesh mesh;
    std::vector<int> parts;
    try {
        o = parse(argc, argv);
        mesh = o.mesh.empty() ? Mesh::square(o.n, o.disorder, o.seed) : Mesh::read(o.mesh);
        parts = partition(mesh, ranks, o.method);
    } catch (const Error &error) {
        if (rank == 0) std::cerr << "basin: " << error.what() << '\n';
        return 2;
    }
    const Part part = Part::extract(mesh, parts, rank);
    const Water water(part.cells, o.problem, o.gravity);
    if (rank == 0)
        std::cout << "basin on " << ranks << " ranks: " << mesh.cells.size() << " triangles, " << cut(mesh, parts)
                  << " sides cut" << std::endl;

    State state = water.initial(part.owned), next(state.size());
    Gauges gauges(comm, part, mesh, {{0.25, 0.5}, {0.75, 0.5}}, o.steps / o.every + 2);
    const Totals begin = totals(comm, water, state, part.owned);
    std::vector<double> steps;
    double time = 0.0;
    long exchanges = 0;
    int most = 0;
    const double started = MPI_Wtime();
    {
        Halo halo(comm, part, state, o.exchange);
        while (time < o.end && static_cast<int>(steps.size()) < o.steps) {
            if (steps.size() % static_cast<std::size_t>(o.every) == 0) gauges.record(state);
            double dt = time_step(o, water, state, part.owned);
            halo.begin();
            MPI_Allreduce(MPI_IN_PLACE, &dt, 1, MPI_DOUBLE, MPI_MIN, comm);
            dt = std::min(dt, o.end - time);
            update(water, part.interior, state, next, dt); // while ghosts are on their way
            halo.end();
            update(water, part.boundary, state, next, dt);
            std::copy(next.begin(), next.begin() + part.owned, state.begin());
            time += dt;
            steps.push_back(dt);
        }
        exchanges = halo.exchanges();
        most = halo.neighbours();
    }
    const double seconds = MPI_Wtime() - started;
    gauges.record(state);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm);
    const Totals end = totals(comm, water, state, part.owned);
    const State whole = gather(comm, part, state, mesh.cells.size());
    const auto series = gauges.collect();

    int good = 1;
    if (rank == 0) {
        std::cout << steps.size() << " steps to t = " << time << ", " << exchanges << " exchanges, at most " << most
                  << " neighbours, " << seconds << " s" << std::endl;
        for (std::size_t g = 0; g < series.size(); g++) {
            std::cout << "gauge " << g << ':';
            for (const double depth : series[g]) {
                if (depth < 0.0) good = 0; // never written
                std::cout << ' ' << std::setprecision(4) << depth;
            }
            std::cout << std::endl;
        }
        if (!o.vtk.empty()) write_vtk(o.vtk, mesh, whole);
        double difference = 0.0;
        if (o.compare) {
            const State other = serial(o, mesh, steps);
            for (std::size_t i = 0; i < other.size(); i++)
                for (std::size_t k = 0; k < fields; k++)
                    difference = std::max(difference, std::abs(other[i][k] - whole[i][k]));
        }
        const double mass = std::abs(end.mass - begin.mass) / begin.mass;
        const double energy = (end.energy - begin.energy) / begin.energy;
        if (!(mass < 1e-12) || !(energy < 1e-10) || !(difference < 1e-12)) good = 0;
        if (o.problem == Problem::Rest && !(end.fastest < 1e-10)) good = 0;
        std::cout << std::scientific << std::setprecision(2) << "check: mass drift " << mass << ", energy change "
                  << energy << ", fastest " << end.fastest << ", difference from serial " << difference << ": "
                  << (good ? "passed" : "FAILED") << std::endl;
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, comm);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace basin

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int status = EXIT_FAILURE;
    try {
        status = basin::run(argc, argv);
    } catch (const std::exception &error) {
        std::cerr << "basin: " << error.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Finalize();
    return status;
}
