#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tiles {

enum class Fetch { Get, Rget, Accumulate };
using Place = std::pair<int, int>; // row and column of a tile

/// A window that is freed with its owner.
class Window {
public:
    Window(MPI_Comm comm, std::size_t count, const std::string &name);
    ~Window();
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;

    double *data() { return data_; }
    MPI_Win get() const { return window_; }

private:
    double *data_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
};

/// A square matrix in tiles, which are dealt to the ranks in turns.
class TiledMatrix {
public:
    TiledMatrix(MPI_Comm comm, int size, int tile, bool symmetric, std::size_t cached);
    ~TiledMatrix();

    int tiles() const { return tiles_; }
    int tile_size() const { return tile_; }
    int owner(Place place) const { return (place.first * tiles_ + place.second) % ranks_; }

    /// The entries of a tile: those here, a copy from the cache, or one that is fetched now.
    const double *fetch(Place place, Fetch way);

    static double entry(int row, int column, bool symmetric);
    long fetched() const { return fetched_; }

private:
    MPI_Aint slot(Place place) const;

    MPI_Comm comm_;
    int size_, tile_, tiles_, rank_ = 0, ranks_ = 1;
    std::size_t cached_;
    long fetched_ = 0;
    std::unique_ptr<Window> store_;
    std::map<Place, std::vector<double>> cache_;
    std::vector<Place> order_; // oldest first
};

/// A vector whose parts lie with their owners.
class SharedVector {
public:
    SharedVector(MPI_Comm comm, int size);

    std::vector<double> all();
    void add(int first, const std::vector<double> &values); // after open(), before close()
    void open();
    void close();
    void scale(double factor);
    double square_sum();
    void set(double (*value)(int));

private:
    MPI_Comm comm_;
    int size_, share_, rank_ = 0, ranks_ = 1;
    Window part_;
    int count() const;
};

} // namespace tiles
