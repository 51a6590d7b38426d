#include "observer.hpp"

#include "config.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace lattice {

namespace {

/// How many nodes have which speed, of all looks together: accumulates to process 0.
class Speeds final : public Observer {
public:
    Speeds(MPI_Comm comm, const Flow &flow) : comm_(comm), counts_(comm, flow.domain().rank == 0 ? bins : 0)
    {
        if (flow.domain().rank == 0) std::fill(counts_.begin(), counts_.end(), 0L);
        MPI_Barrier(comm_);
    }

    void look(const Flow &flow) override
    {
        std::vector<long> mine(bins);
        const Domain &domain = flow.domain();
        for (int x = 0; x < domain.columns(); ++x) {
            for (int y = 0; y < domain.height; ++y) {
                if (flow.is_solid(x, y)) continue;
                const Moments here = flow.at(x, y);
                const int bin = static_cast<int>(std::hypot(here.u, here.v) * 2e3);
                ++mine[std::min(bin, bins - 1)];
            }
        }
        seen_ += std::accumulate(mine.begin(), mine.end(), 0L);
        const Locked lock(counts_, 0, false);
        counts_.add(mine.data(), bins, 0, 0);
    }

    bool finish(const Flow &flow) override
    {
        long all = 0;
        MPI_Reduce(&seen_, &all, 1, MPI_LONG, MPI_SUM, 0, comm_);
        int good = 1;
        if (flow.domain().rank == 0) {
            const Locked lock(counts_, 0, true);
            good = std::accumulate(counts_.begin(), counts_.end(), 0L) == all;
        }
        MPI_Bcast(&good, 1, MPI_INT, 0, comm_);
        return good != 0;
    }
    std::string name() const override { return "speeds"; }

private:
    static constexpr int bins = 16;
    MPI_Comm comm_;
    Window<long> counts_;
    long seen_ = 0;
};

/// The speed along x by height, summed over x in the order of processes: each adds to what the one before has put.
class Profile final : public Observer {
public:
    Profile(MPI_Comm comm, const Flow &flow) : comm_(comm), sums_(comm, flow.domain().height)
    {
        MPI_Win_fence(0, sums_.handle());
    }
    ~Profile() override { MPI_Win_fence(MPI_MODE_NOSUCCEED, sums_.handle()); }

    void look(const Flow &flow) override
    {
        const Domain &domain = flow.domain();
        std::vector<double> mine(domain.height);
        for (int x = 0; x < domain.columns(); ++x)
            for (int y = 0; y < domain.height; ++y)
                if (!flow.is_solid(x, y)) mine[y] += flow.at(x, y).u;
        std::fill(sums_.begin(), sums_.end(), 0.0);
        MPI_Win_fence(0, sums_.handle());
        sums_.add(mine.data(), domain.height, 0, 0);
        MPI_Win_fence(0, sums_.handle());
        if (domain.rank == 0) last_.assign(sums_.begin(), sums_.end());
        MPI_Win_fence(0, sums_.handle());
    }

    bool finish(const Flow &flow) override
    {
        look(flow);
        double mine = 0, all = 0;
        const Domain &domain = flow.domain();
        for (int x = 0; x < domain.columns(); ++x)
            for (int y = 0; y < domain.height; ++y)
                if (!flow.is_solid(x, y)) mine += flow.at(x, y).u;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm_);
        int good = 1;
        if (domain.rank == 0) {
            const double sum = std::accumulate(last_.begin(), last_.end(), 0.0);
            good = std::abs(sum - all) < 1e-10 * domain.width * domain.height;
        }
        MPI_Bcast(&good, 1, MPI_INT, 0, comm_);
        return good != 0;
    }
    std::string name() const override { return "profile"; }

private:
    MPI_Comm comm_;
    Window<double> sums_;
    std::vector<double> last_;
};

/// A series of the masses of all processes: each puts into its column of a table of process 0.
class Mass final : public Observer {
public:
    Mass(MPI_Comm comm, const Flow &flow, int looks)
        : comm_(comm), looks_(looks + 1),
          table_(comm, flow.domain().rank == 0 ? static_cast<MPI_Aint>(looks_) * flow.domain().ranks : 0)
    {
        MPI_Barrier(comm_);
        record(flow);
    }

    void look(const Flow &flow) override { record(flow); }

    bool finish(const Flow &flow) override
    {
        // All have put.
        MPI_Barrier(comm_);
        int good = 1;
        if (flow.domain().rank == 0) {
            const Locked lock(table_, 0, true);
            const int ranks = flow.domain().ranks;
            std::vector<double> masses;
            for (int row = 0; row < row_; ++row) {
                const double *from = table_.begin() + static_cast<std::ptrdiff_t>(row) * ranks;
                masses.push_back(std::accumulate(from, from + ranks, 0.0));
            }
            const auto [least, most] = std::minmax_element(masses.begin(), masses.end());
            good = *most - *least < 1e-9 * *most;
            if (!good) std::printf("mass between %.12g and %.12g\n", *least, *most);
        }
        MPI_Bcast(&good, 1, MPI_INT, 0, comm_);
        return good != 0;
    }
    std::string name() const override { return "mass"; }

private:
    void record(const Flow &flow)
    {
        if (row_ == looks_) return;
        const double mass = flow.mass();
        const Locked lock(table_, 0, false);
        table_.put(&mass, 1, 0, static_cast<MPI_Aint>(row_) * flow.domain().ranks + flow.domain().rank);
        MPI_Win_flush(0, table_.handle());
        ++row_;
    }

    MPI_Comm comm_;
    int looks_;
    int row_ = 0;
    Window<double> table_;
};

} // namespace

std::unique_ptr<Observer> make_observer(const std::string &name, MPI_Comm comm, const Flow &flow, int looks)
{
    if (name == "speeds") return std::make_unique<Speeds>(comm, flow);
    if (name == "profile") return std::make_unique<Profile>(comm, flow);
    if (name == "mass") return std::make_unique<Mass>(comm, flow, looks);
    throw BadInput("no such observer: " + name);
}

} // namespace lattice
