// How columns come from the neighbours.
#pragma once

#include "domain.hpp"

#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

namespace lattice {

/// Values for the neighbours and from them: as many for each side.
struct Sides {
    explicit Sides(std::size_t count) : to_left(count), to_right(count), from_left(count), from_right(count) {}
    std::vector<double> to_left, to_right, from_left, from_right;
};

class Exchange {
public:
    Exchange() = default;
    Exchange(const Exchange &) = delete;
    Exchange &operator=(const Exchange &) = delete;
    virtual ~Exchange() = default;

    /// Brings what the neighbours have for this process.
    virtual void run(Sides &sides) = 0;
    virtual const char *name() const = 0;
    int runs() const { return runs_; }

protected:
    void count() { ++runs_; }

private:
    int runs_ = 0;
};

/// `fence`, `neighbours`, `passive`, or `alone` for one process.
std::unique_ptr<Exchange> make_exchange(const std::string &name, MPI_Comm comm, const Domain &domain, int values);

} // namespace lattice
