#include "dust.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lattice {

Dust::Dust(MPI_Comm comm, const Flow &flow, int grains)
    : comm_(comm), domain_(flow.domain()), inbox_(comm, static_cast<MPI_Aint>(parts) * grains), arrived_(comm, 1),
      inbox_access_(inbox_), arrived_access_(arrived_)
{
    for (int id = 0; id < grains; ++id) {
        Grain grain;
        grain.id = id;
        grain.x = std::fmod(id * 0.618034 * domain_.width, domain_.width);
        grain.y = 1 + std::fmod(id * 0.754878 * (domain_.height - 2), domain_.height - 2);
        const int column = static_cast<int>(grain.x);
        if (domain_.owner(column) == domain_.rank) grains_.push_back(grain);
    }
    arrived_[0] = 0;
    MPI_Win_sync(arrived_.handle());
    MPI_Barrier(comm_);
}

Grain Dust::moved(const Grain &grain, const Moments &moments, const Domain &domain)
{
    // Dust is faster than the flow, so that it leaves its process in a short run.
    constexpr double faster = 40;
    Grain after = grain;
    after.x = std::fmod(grain.x + faster * moments.u + 0.3 + domain.width, domain.width);
    after.y = std::clamp(grain.y + faster * moments.v, 1.0, domain.height - 1.001);
    return after;
}

void Dust::step(const Flow &flow)
{
    for (Grain &grain : grains_) {
        const int x = static_cast<int>(grain.x) - domain_.first(), y = static_cast<int>(grain.y);
        grain = moved(grain, flow.is_solid(x, y) ? Moments{} : flow.at(x, y), domain_);
    }
    const auto stays = [this](const Grain &grain) {
        return domain_.owner(static_cast<int>(grain.x)) == domain_.rank;
    };
    const auto first_gone = std::stable_partition(grains_.begin(), grains_.end(), stays);
    std::for_each(first_gone, grains_.end(),
                  [this](const Grain &grain) { send(grain, domain_.owner(static_cast<int>(grain.x))); });
    grains_.erase(first_gone, grains_.end());
    inbox_access_.flush_all();
    MPI_Barrier(comm_);
    receive();
    MPI_Barrier(comm_);
}

void Dust::send(const Grain &grain, int to)
{
    const int place = arrived_.fetch_and_add(1, to, 0);
    const double values[parts] = {grain.id, grain.x, grain.y};
    inbox_.put(values, parts, to, static_cast<MPI_Aint>(parts) * place);
    // The values are those of this call.
    MPI_Win_flush_local(to, inbox_.handle());
    ++sent_;
}

void Dust::receive()
{
    MPI_Win_sync(inbox_.handle());
    MPI_Win_sync(arrived_.handle());
    const int count = arrived_[0];
    const double *from = inbox_.begin();
    for (int nth = 0; nth < count; ++nth, from += parts) {
        Grain grain;
        grain.id = from[0];
        grain.x = from[1];
        grain.y = from[2];
        grains_.push_back(grain);
    }
    arrived_[0] = 0;
    MPI_Win_sync(arrived_.handle());
}

std::vector<Grain> Dust::sorted() const
{
    std::vector<Grain> all;
    all.reserve(grains_.size());
    std::copy(grains_.begin(), grains_.end(), std::back_inserter(all));
    std::sort(all.begin(), all.end(), [](const Grain &one, const Grain &other) { return one.id < other.id; });
    return all;
}

} // namespace lattice
