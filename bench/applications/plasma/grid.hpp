// The grid: columns dealt to ranks in a ring, with a ghost column on either side.
#pragma once

#include "options.hpp"
#include "window.hpp"

#include <cmath>
#include <vector>

namespace plasma {

class Grid {
public:
    Grid(MPI_Comm comm, const Options &o) : comm_(comm), nx_(o.nx), ny_(o.ny) {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &ranks_);
        first_ = static_cast<int>(static_cast<long>(nx_) * rank_ / ranks_);
        columns_ = static_cast<int>(static_cast<long>(nx_) * (rank_ + 1) / ranks_) - first_;
        for (int c = 0, r = 0; c < nx_; c++) {
            while (static_cast<long>(nx_) * (r + 1) / ranks_ <= c) r++;
            owner_.push_back(r);
        }
    }

    MPI_Comm comm() const { return comm_; }
    int rank() const { return rank_; }
    int ranks() const { return ranks_; }
    int left() const { return (rank_ + ranks_ - 1) % ranks_; }
    int right() const { return (rank_ + 1) % ranks_; }
    int nx() const { return nx_; }
    int ny() const { return ny_; }
    int first() const { return first_; }
    int columns() const { return columns_; }
    int columns_of(int rank) const {
        return static_cast<int>(static_cast<long>(nx_) * (rank + 1) / ranks_ - static_cast<long>(nx_) * rank / ranks_);
    }
    int owner(int column) const { return owner_[static_cast<std::size_t>(column)]; }
    double length() const { return 6.283185307179586; }
    double cell() const { return length() / nx_; }
    double height() const { return cell() * ny_; }
    // Values of a field with its ghosts.
    std::size_t size() const { return static_cast<std::size_t>(columns_ + 2) * static_cast<std::size_t>(ny_); }
    // Column -1 and column columns() are ghosts; rows are periodic.
    std::size_t at(int column, int row) const {
        return static_cast<std::size_t>(column + 1) * static_cast<std::size_t>(ny_) + static_cast<std::size_t>(row);
    }
    int up(int row) const { return row + 1 == ny_ ? 0 : row + 1; }
    int down(int row) const { return row == 0 ? ny_ - 1 : row - 1; }

private:
    MPI_Comm comm_;
    int rank_ = 0, ranks_ = 1;
    int nx_, ny_;
    int first_ = 0, columns_ = 0;
    std::vector<int> owner_;
};

} // namespace plasma
