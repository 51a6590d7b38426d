// Copies of cells that other ranks own, kept up to date through a window over the state itself. What goes from where to
// where is said by indexed types, on both sides.
#pragma once

#include "mesh.hpp"

#include <mpi.h>

#include <utility>

namespace basin {

constexpr int fields = 3; // depth, and discharge along x and y

using State = std::vector<std::array<double, fields>>;

enum class Exchange { PutFence, GetFence, PutLock, GetLock };

class IndexedType {
public:
    IndexedType() = default;
    // Cells of a state by their numbers; numbers that follow one another become one block.
    explicit IndexedType(const std::vector<int> &cells);
    IndexedType(IndexedType &&other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    IndexedType &operator=(IndexedType &&other) noexcept {
        std::swap(type_, other.type_);
        return *this;
    }
    ~IndexedType() {
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }
    MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class Halo {
public:
    Halo(MPI_Comm comm, const Part &part, State &state, Exchange exchange);
    ~Halo();
    Halo(const Halo &) = delete;
    Halo &operator=(const Halo &) = delete;

    // Between the two, ghosts and owned boundary cells are in flight: owned cells may be read, not written.
    void begin();
    void end();
    int neighbours() const { return static_cast<int>(links_.size()); }
    long exchanges() const { return exchanges_; }

private:
    struct Link {
        int rank = 0;
        std::vector<int> ghosts;  // mine that it owns
        std::vector<int> wanted;  // cells of mine that are its ghosts
        std::vector<int> theirs;  // where these ghosts lie in its state
        std::vector<int> sources; // where my ghosts lie in its state
        IndexedType here, there;  // of one transfer
    };
    void agree(const Part &part);

    MPI_Comm comm_;
    Exchange exchange_;
    State &state_;
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<Link> links_;
    long exchanges_ = 0;
};

// A state of the whole mesh on rank 0, fetched with gets. Collective; empty on other ranks.
State gather(MPI_Comm comm, const Part &part, const State &state, std::size_t cells);

// Values over time at some places, written by the owners into the memory of rank 0.
class Gauges {
public:
    Gauges(MPI_Comm comm, const Part &part, const Mesh &mesh, const std::vector<Point> &places, int samples);
    ~Gauges();
    Gauges(const Gauges &) = delete;
    Gauges &operator=(const Gauges &) = delete;
    void record(const State &state);
    // Collective. On rank 0, samples by place.
    std::vector<std::vector<double>> collect();

private:
    MPI_Comm comm_;
    int rank_ = 0;
    int samples_, taken_ = 0;
    std::vector<int> local_; // cell of each place, or -1
    double *table_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
};

} // namespace basin
