// What is written down of a run: a histogram of speeds, a profile, a series of samples.
#pragma once

#include "dust.hpp"
#include "flow.hpp"
#include "window.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lattice {

/// Looks at the flow now and then; results are on process 0.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void look(const Flow &flow) = 0;
    /// Whether what was seen is right, as far as that can be told; the same on all processes.
    virtual bool finish(const Flow &flow) = 0;
    virtual std::string name() const = 0;
};

/// By its name: `speeds`, `profile`, `mass`.
std::unique_ptr<Observer> make_observer(const std::string &name, MPI_Comm comm, const Flow &flow, int looks);

} // namespace lattice
