// A histogram of velocities, which all ranks add to in the memory of rank 0.
#pragma once

#include "particles.hpp"

#include <algorithm>
#include <ostream>

namespace plasma {

class Histogram {
public:
    Histogram(MPI_Comm comm, std::size_t bins, double low, double high)
        : comm_(comm), low_(low), high_(high), mine_(bins), all_(comm, bins, "histogram") {
        MPI_Comm_rank(comm, &rank_);
        MPI_Barrier(comm); // the window is zero everywhere
    }

    void add(double value, double weight) {
        const auto last = static_cast<double>(mine_.size() - 1);
        const double bin = (value - low_) / (high_ - low_) * static_cast<double>(mine_.size());
        mine_[static_cast<std::size_t>(std::clamp(bin, 0.0, last))] += weight;
    }

    // Collective. Returns the sum of all bins, on all ranks.
    double collect() {
        MPI_Win window = all_.handle();
        check(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window), "lock");
        all_.add(mine_.data(), mine_.size(), 0, 0);
        check(MPI_Win_unlock(0, window), "unlock");
        MPI_Barrier(comm_);
        double total = 0.0;
        if (rank_ == 0) {
            check(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window), "lock");
            for (double bin : all_) total += bin;
            check(MPI_Win_unlock(0, window), "unlock");
        }
        MPI_Bcast(&total, 1, MPI_DOUBLE, 0, comm_);
        return total;
    }

    // On rank 0, after collect().
    void print(std::ostream &out) const {
        const double width = (high_ - low_) / static_cast<double>(mine_.size());
        for (std::size_t i = 0; i < mine_.size(); i++) {
            if (all_[i] > 0.0) out << "  v " << low_ + (static_cast<double>(i) + 0.5) * width << "  " << all_[i] << '\n';
        }
    }

private:
    MPI_Comm comm_;
    int rank_ = 0;
    double low_, high_;
    std::vector<double> mine_;
    Window<double> all_;
};

} // namespace plasma
