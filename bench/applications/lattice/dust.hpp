// Dust that the flow carries from process to process.
#pragma once

#include "flow.hpp"
#include "window.hpp"

#include <vector>

namespace lattice {

struct Grain {
    double id = 0, x = 0, y = 0;
};

class Dust {
public:
    /// So many grains in all, as evenly as the open nodes allow; every process has room for that many.
    Dust(MPI_Comm comm, const Flow &flow, int grains);

    /// Moves all grains for one step, those of other columns to other processes.
    void step(const Flow &flow);
    std::size_t size() const { return grains_.size(); }
    int sent() const { return sent_; }
    /// The grains in the order of their numbers.
    std::vector<Grain> sorted() const;

    /// Where a grain is after a step, if it moves with the node that it is at.
    static Grain moved(const Grain &grain, const Moments &moments, const Domain &domain);

private:
    static constexpr int parts = 3;

    void send(const Grain &grain, int to);
    void receive();

    MPI_Comm comm_;
    Domain domain_;
    std::vector<Grain> grains_;
    Window<double> inbox_;
    Window<int> arrived_;
    SharedAccess inbox_access_, arrived_access_;
    int sent_ = 0;
};

} // namespace lattice
