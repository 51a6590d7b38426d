#include "exchange.hpp"

#include "config.hpp"
#include "window.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

namespace lattice {

namespace {

/// A slot for each neighbour, in which it puts its values.
class Slots {
public:
    Slots(MPI_Comm comm, const Domain &domain, int values, int copies)
        : domain_(domain), values_(values), window_(comm, static_cast<MPI_Aint>(2) * copies * values)
    {
        std::fill(window_.begin(), window_.end(), 0.0);
    }

    void send(const Sides &sides, int copy)
    {
        // My left neighbour has me at its right.
        window_.put(sides.to_left.data(), values_, domain_.left(), place(copy, right));
        window_.put(sides.to_right.data(), values_, domain_.right(), place(copy, left));
    }
    void unpack(Sides &sides, int copy)
    {
        const double *from = window_.begin();
        std::copy_n(from + place(copy, left), values_, sides.from_left.begin());
        std::copy_n(from + place(copy, right), values_, sides.from_right.begin());
    }
    Window<double> &window() { return window_; }

private:
    enum Side { left, right };
    MPI_Aint place(int copy, Side side) const { return static_cast<MPI_Aint>(2 * copy + side) * values_; }

    Domain domain_;
    int values_;
    Window<double> window_;
};

class FenceExchange final : public Exchange {
public:
    FenceExchange(MPI_Comm comm, const Domain &domain, int values) : slots_(comm, domain, values, 1)
    {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, slots_.window().handle());
    }
    ~FenceExchange() override { MPI_Win_fence(MPI_MODE_NOSUCCEED, slots_.window().handle()); }

    void run(Sides &sides) override
    {
        slots_.send(sides, 0);
        MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, slots_.window().handle());
        slots_.unpack(sides, 0);
        // Nobody puts before all have read.
        MPI_Win_fence(MPI_MODE_NOSTORE, slots_.window().handle());
        count();
    }
    const char *name() const override { return "fence"; }

private:
    Slots slots_;
};

class NeighbourExchange final : public Exchange {
public:
    NeighbourExchange(MPI_Comm comm, const Domain &domain, int values)
        : slots_(comm, domain, values, 1), group_(comm, neighbours(domain))
    {
    }

    void run(Sides &sides) override
    {
        const MPI_Win window = slots_.window().handle();
        MPI_Win_post(group_.handle(), 0, window);
        MPI_Win_start(group_.handle(), 0, window);
        slots_.send(sides, 0);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
        slots_.unpack(sides, 0);
        count();
    }
    const char *name() const override { return "neighbours"; }

private:
    static std::vector<int> neighbours(const Domain &domain)
    {
        const std::set<int> both{domain.left(), domain.right()};
        return {both.begin(), both.end()};
    }

    Slots slots_;
    Group group_;
};

/// Puts without the help of the target; two copies, so that one barrier is enough.
class PassiveExchange final : public Exchange {
public:
    PassiveExchange(MPI_Comm comm, const Domain &domain, int values)
        : comm_(comm), slots_(comm, domain, values, 2), access_(slots_.window())
    {
        MPI_Win_sync(slots_.window().handle());
        MPI_Barrier(comm_);
    }

    void run(Sides &sides) override
    {
        const int copy = runs() % 2;
        slots_.send(sides, copy);
        access_.flush_all();
        MPI_Barrier(comm_);
        MPI_Win_sync(slots_.window().handle());
        slots_.unpack(sides, copy);
        count();
    }
    const char *name() const override { return "passive"; }

private:
    MPI_Comm comm_;
    Slots slots_;
    SharedAccess access_;
};

/// One process is its own neighbour.
class NoExchange final : public Exchange {
public:
    void run(Sides &sides) override
    {
        sides.from_left = sides.to_right;
        sides.from_right = sides.to_left;
        count();
    }
    const char *name() const override { return "alone"; }
};

template <typename Kind> std::unique_ptr<Exchange> make(MPI_Comm comm, const Domain &domain, int values)
{
    return std::make_unique<Kind>(comm, domain, values);
}

} // namespace

std::unique_ptr<Exchange> make_exchange(const std::string &name, MPI_Comm comm, const Domain &domain, int values)
{
    using Maker = std::function<std::unique_ptr<Exchange>(MPI_Comm, const Domain &, int)>;
    static const std::map<std::string, Maker> makers{
        {"fence", make<FenceExchange>},
        {"neighbours", make<NeighbourExchange>},
        {"passive", make<PassiveExchange>},
        {"alone", [](MPI_Comm, const Domain &, int) { return std::make_unique<NoExchange>(); }},
    };
    const auto found = makers.find(name);
    if (found == makers.end()) throw BadInput("no such exchange: " + name);
    return found->second(comm, domain, values);
}

} // namespace lattice
