#include "halo.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace basin {

IndexedType::IndexedType(const std::vector<int> &cells) {
    std::vector<int> lengths, places;
    for (const int cell : cells) {
        if (!places.empty() && places.back() + lengths.back() == cell) {
            lengths.back()++;
        } else {
            places.push_back(cell);
            lengths.push_back(1);
        }
    }
    MPI_Datatype cell;
    MPI_Type_contiguous(fields, MPI_DOUBLE, &cell);
    MPI_Type_indexed(static_cast<int>(places.size()), lengths.data(), places.data(), cell, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&cell);
}

Halo::Halo(MPI_Comm comm, const Part &part, State &state, Exchange exchange)
    : comm_(comm), exchange_(exchange), state_(state) {
    agree(part);
    const auto bytes = static_cast<MPI_Aint>(state.size() * sizeof(state[0]));
    MPI_Info info;
    MPI_Info_create(&info);
    if (exchange == Exchange::PutFence || exchange == Exchange::GetFence) MPI_Info_set(info, "no_locks", "true");
    MPI_Win_create(state.data(), bytes, sizeof(state[0]), info, comm, &window_);
    MPI_Info_free(&info);
    MPI_Win_set_name(window_, "state");
    const bool puts = exchange == Exchange::PutFence || exchange == Exchange::PutLock;
    for (Link &link : links_) {
        link.here = IndexedType(puts ? link.wanted : link.ghosts);
        link.there = IndexedType(puts ? link.theirs : link.sources);
    }
    if (exchange == Exchange::PutLock || exchange == Exchange::GetLock) MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
}

Halo::~Halo() {
    if (exchange_ == Exchange::PutLock || exchange_ == Exchange::GetLock) MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
}

// Neighbours tell each other which cells they want, and where they keep their copies.
void Halo::agree(const Part &part) {
    std::map<int, Link> by_rank;
    for (int g = 0; g < part.ghosts(); g++) {
        Link &link = by_rank[part.part[static_cast<std::size_t>(g)]];
        link.ghosts.push_back(part.owned + g);
    }
    std::map<int, int> local;
    for (int i = 0; i < part.owned; i++) local[part.global[static_cast<std::size_t>(i)]] = i;
    std::vector<MPI_Request> requests;
    std::vector<std::vector<int>> letters;
    letters.reserve(by_rank.size());
    for (auto &[rank, link] : by_rank) {
        link.rank = rank;
        std::vector<int> letter; // global number and place, for each ghost
        for (const int ghost : link.ghosts) {
            letter.push_back(part.global[static_cast<std::size_t>(ghost)]);
            letter.push_back(ghost);
        }
        letters.push_back(std::move(letter));
        requests.emplace_back();
        MPI_Isend(letters.back().data(), static_cast<int>(letters.back().size()), MPI_INT, rank, 3, comm_,
                  &requests.back());
    }
    // Who owns a neighbour of my cell has that cell as a ghost: the relation is symmetric.
    for (auto &[rank, link] : by_rank) {
        MPI_Status status;
        int count = 0;
        MPI_Probe(rank, 3, comm_, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        std::vector<int> letter(static_cast<std::size_t>(count));
        MPI_Recv(letter.data(), count, MPI_INT, rank, 3, comm_, MPI_STATUS_IGNORE);
        for (std::size_t i = 0; i < letter.size(); i += 2) {
            const auto found = local.find(letter[i]);
            if (found == local.end()) throw Error("a neighbour wants a cell that is not here");
            link.wanted.push_back(found->second);
            link.theirs.push_back(letter[i + 1]);
        }
    }
    std::vector<MPI_Status> statuses(requests.size());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
    // And where the cells wanted lie, for gets.
    for (auto &[rank, link] : by_rank) {
        link.sources.resize(link.ghosts.size());
        MPI_Sendrecv(link.wanted.data(), static_cast<int>(link.wanted.size()), MPI_INT, rank, 4, link.sources.data(),
                     static_cast<int>(link.sources.size()), MPI_INT, rank, 4, comm_, MPI_STATUS_IGNORE);
        links_.push_back(std::move(link));
    }
}

void Halo::begin() {
    switch (exchange_) {
    case Exchange::PutFence:
        MPI_Win_fence(MPI_MODE_NOPRECEDE, window_);
        for (const Link &l : links_) MPI_Put(state_.data(), 1, l.here.get(), l.rank, 0, 1, l.there.get(), window_);
        break;
    case Exchange::GetFence:
        MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT, window_);
        for (const Link &l : links_) MPI_Get(state_.data(), 1, l.here.get(), l.rank, 0, 1, l.there.get(), window_);
        break;
    case Exchange::PutLock:
        MPI_Barrier(comm_); // all have read their ghosts
        MPI_Win_sync(window_);
        for (const Link &l : links_) MPI_Put(state_.data(), 1, l.here.get(), l.rank, 0, 1, l.there.get(), window_);
        break;
    case Exchange::GetLock:
        MPI_Win_sync(window_);
        MPI_Barrier(comm_); // all have written their owned cells
        for (const Link &l : links_) MPI_Get(state_.data(), 1, l.here.get(), l.rank, 0, 1, l.there.get(), window_);
        break;
    }
}

void Halo::end() {
    switch (exchange_) {
    case Exchange::PutFence:
    case Exchange::GetFence: MPI_Win_fence(MPI_MODE_NOSUCCEED, window_); break;
    case Exchange::PutLock:
        MPI_Win_flush_all(window_);
        MPI_Barrier(comm_);
        MPI_Win_sync(window_);
        break;
    case Exchange::GetLock:
        for (const Link &l : links_) MPI_Win_flush(l.rank, window_);
        MPI_Barrier(comm_); // nobody reads any more what is now changed
        break;
    }
    exchanges_++;
}

State gather(MPI_Comm comm, const Part &part, const State &state, std::size_t cells) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    std::vector<int> counts(static_cast<std::size_t>(ranks)), starts(counts.size());
    MPI_Gather(&part.owned, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
    for (std::size_t r = 1; r < counts.size(); r++) starts[r] = starts[r - 1] + counts[r - 1];
    std::vector<int> numbers(rank == 0 ? cells : 0);
    MPI_Gatherv(part.global.data(), part.owned, MPI_INT, numbers.data(), counts.data(), starts.data(), MPI_INT, 0,
                comm);
    State copy(state.begin(), state.begin() + part.owned);
    MPI_Win window;
    MPI_Win_create(copy.data(), static_cast<MPI_Aint>(copy.size() * sizeof(copy[0])), sizeof(copy[0]), MPI_INFO_NULL,
                   comm, &window);
    MPI_Win_set_name(window, "result");
    State whole(rank == 0 ? cells : 0);
    if (rank == 0) {
        for (int r = 0; r < ranks; r++) {
            const auto first = numbers.begin() + starts[static_cast<std::size_t>(r)];
            const int count = counts[static_cast<std::size_t>(r)];
            const IndexedType places(std::vector<int>(first, first + count));
            MPI_Win_lock(MPI_LOCK_SHARED, r, 0, window);
            MPI_Get(whole.data(), 1, places.get(), r, 0, count * fields, MPI_DOUBLE, window);
            MPI_Win_unlock(r, window);
        }
    }
    MPI_Win_free(&window); // not before all is fetched
    return whole;
}

Gauges::Gauges(MPI_Comm comm, const Part &part, const Mesh &mesh, const std::vector<Point> &places, int samples)
    : comm_(comm), samples_(samples) {
    MPI_Comm_rank(comm, &rank_);
    for (const Point place : places) {
        std::size_t nearest = 0;
        double best = 1e300;
        for (std::size_t i = 0; i < mesh.cells.size(); i++) {
            const Point d = mesh.cells[i].centre - place;
            const double distance = d.x * d.x + d.y * d.y;
            if (distance < best) {
                best = distance;
                nearest = i;
            }
        }
        const auto end = part.global.begin() + part.owned;
        const auto found = std::find(part.global.begin(), end, static_cast<int>(nearest));
        local_.push_back(found == end ? -1 : static_cast<int>(found - part.global.begin()));
    }
    const std::size_t count = rank_ == 0 ? places.size() * static_cast<std::size_t>(samples) : 0;
    const auto bytes = static_cast<MPI_Aint>(count * sizeof(double));
    if (count > 0) MPI_Alloc_mem(bytes, MPI_INFO_NULL, &table_);
    for (std::size_t i = 0; i < count; i++) table_[i] = -1.0;
    MPI_Win_create(table_, bytes, sizeof(double), MPI_INFO_NULL, comm, &window_);
    MPI_Win_set_name(window_, "gauges");
}

Gauges::~Gauges() {
    MPI_Win_free(&window_);
    if (table_ != nullptr) MPI_Free_mem(table_);
}

void Gauges::record(const State &state) {
    if (taken_ == samples_) return;
    for (std::size_t g = 0; g < local_.size(); g++) {
        if (local_[g] < 0) continue;
        const double depth = state[static_cast<std::size_t>(local_[g])][0];
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window_);
        MPI_Put(&depth, 1, MPI_DOUBLE, 0, static_cast<MPI_Aint>(g) * samples_ + taken_, 1, MPI_DOUBLE, window_);
        MPI_Win_unlock(0, window_);
    }
    taken_++;
}

std::vector<std::vector<double>> Gauges::collect() {
    std::vector<std::vector<double>> out;
    MPI_Barrier(comm_);
    if (rank_ != 0) return out;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window_);
    for (std::size_t g = 0; g < local_.size(); g++) {
        const double *row = table_ + g * static_cast<std::size_t>(samples_);
        out.emplace_back(row, row + taken_);
    }
    MPI_Win_unlock(0, window_);
    return out;
}

} // namespace basin
