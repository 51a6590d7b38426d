// plasma: an electrostatic particle-in-cell code in two dimensions.
//
// Check: no particle is lost (number and sum of identities), momentum is kept, total energy drifts little, and the cold
// plasma oscillates with the plasma frequency.
#include "histogram.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace plasma {
namespace {

struct Sample {
    double time, field, kinetic;
};

class Simulation {
public:
    Simulation(MPI_Comm comm, const Options &options)
        : options_(options), grid_(comm, options), charge_(grid_, "charge"), potential_(grid_, "potential"),
          ex_(grid_, "field along x"), ey_(grid_, "field along y"), poisson_(grid_, options.tolerance),
          particles_(grid_, options) {
        particles_.load(options);
    }

    void run() {
        begin_ = particles_.moments();
        solve();
        record(0);
        const double dt = options_.dt;
        for (int step = 1; step <= options_.steps; step++) {
            particles_.kick(ex_, ey_, 0.5 * dt);
            particles_.drift(dt);
            left_ += static_cast<std::int64_t>(particles_.migrate());
            if (options_.sort > 0 && step % options_.sort == 0) particles_.sort();
            solve();
            particles_.kick(ex_, ey_, 0.5 * dt);
            record(step);
        }
        left_ = sum(grid_.comm(), left_);
    }

    // True if all is as it must be.
    bool verify() {
        const Moments end = particles_.moments();
        const bool kept = end.count == begin_.count && end.ids == begin_.ids && particles_.misplaced() == 0;
        const double scale = std::abs(begin_.px) + std::abs(begin_.py) + 1e-3 * static_cast<double>(begin_.count);
        const double momentum = (std::abs(end.px - begin_.px) + std::abs(end.py - begin_.py)) / scale;
        const double first = history_.front().field + history_.front().kinetic;
        const double last = history_.back().field + history_.back().kinetic;
        const double energy = std::abs(last - first) / first;
        const double frequency = options_.problem == Problem::Langmuir ? measured_frequency() : 0.0;
        const bool counted = distribution();
        bool good = kept && counted && momentum < 1e-6 && energy < 0.02;
        if (frequency > 0.0 && std::abs(frequency - 1.0) > 0.05) good = false;
        if (grid_.rank() == 0) {
            std::cout << std::scientific << std::setprecision(2) << "check: " << end.count << " particles, "
                      << (kept ? "all there" : "NOT ALL THERE") << ", momentum drift " << momentum
                      << ", energy drift " << energy << std::fixed << std::setprecision(4) << ", frequency "
                      << frequency << ": " << (good ? "passed" : "FAILED") << std::endl;
        }
        return good;
    }

    void write_history() const {
        if (options_.history.empty() || grid_.rank() != 0) return;
        std::ofstream out(options_.history);
        if (!out) throw Error("cannot write " + options_.history);
        out << "# time field kinetic\n" << std::setprecision(12);
        for (const Sample &s : history_) out << s.time << ' ' << s.field << ' ' << s.kinetic << '\n';
    }

    std::int64_t left() const { return left_; }
    const Grid &grid() const { return grid_; }

private:
    void solve() {
        particles_.deposit(charge_);
        iterations_ += poisson_.solve(charge_, potential_);
        electric_field(potential_, ex_, ey_);
    }

    void record(int step) {
        const Moments m = particles_.moments();
        const double field = 0.5 * (ex_.dot(ex_) + ey_.dot(ey_));
        history_.push_back({step * options_.dt, field, m.kinetic});
        if (grid_.rank() == 0 && options_.report > 0 && step % options_.report == 0) {
            std::cout << "step " << std::setw(5) << step << std::scientific << std::setprecision(6) << " field "
                      << field << " kinetic " << m.kinetic << " particles " << m.count << " iterations "
                      << iterations_ << " residual " << poisson_.residual() << std::endl;
        }
    }

    // The distribution of velocities, and whether it has every particle.
    bool distribution() {
        const double width = 1.0 + 6.0 * options_.spread;
        Histogram velocities(grid_.comm(), 24, options_.drift - width, options_.drift + width);
        particles_.each([&](const Particle &p) { velocities.add(p.vx, 1.0); });
        const double total = velocities.collect();
        if (grid_.rank() == 0 && options_.report > 0) velocities.print(std::cout);
        return total == static_cast<double>(begin_.count);
    }

    // From the minima of the field energy, which are half a period of the oscillation apart. 0: too short to tell.
    double measured_frequency() const {
        std::vector<double> minima;
        for (std::size_t i = 1; i + 1 < history_.size(); i++) {
            const double a = history_[i - 1].field, b = history_[i].field, c = history_[i + 1].field;
            if (b >= a || b > c) continue;
            const double shift = 0.5 * (a - c) / (a - 2.0 * b + c);
            minima.push_back(history_[i].time + shift * options_.dt);
        }
        if (minima.size() < 2) return 0.0;
        return 3.141592653589793 * static_cast<double>(minima.size() - 1) / (minima.back() - minima.front());
    }

    Options options_;
    Grid grid_;
    Field charge_, potential_, ex_, ey_;
    Poisson poisson_;
    Particles particles_;
    Moments begin_;
    std::vector<Sample> history_;
    std::int64_t left_ = 0;
    long iterations_ = 0;
};

int run(int argc, char **argv) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Options options;
    try {
        options = Options::parse(argc, argv);
        options.validate(ranks);
    } catch (const Error &error) {
        if (rank == 0) std::cerr << "plasma: " << error.what() << '\n';
        return 2;
    }
    if (options.help) {
        if (rank == 0) Options::usage(std::cout);
        return 0;
    }
    if (rank == 0) std::cout << "plasma on " << ranks << " ranks: " << options << std::endl;
    Simulation simulation(MPI_COMM_WORLD, options);
    const double start = MPI_Wtime();
    simulation.run();
    const double seconds = MPI_Wtime() - start;
    simulation.write_history();
    const bool good = simulation.verify();
    if (rank == 0)
        std::cout << "time " << seconds << " s, " << simulation.left() << " particles changed ranks" << std::endl;
    return good ? 0 : 1;
}

} // namespace
} // namespace plasma

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int status = 3;
    try {
        status = plasma::run(argc, argv);
    } catch (const std::exception &error) {
        std::cerr << "plasma: " << error.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    MPI_Finalize();
    return status;
}
