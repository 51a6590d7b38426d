// The largest eigenvalue of a matrix in tiles, by the power method. Who multiplies a tile is decided by a counter.
#include "matrix.hpp"
#include "options.hpp"

#include <cmath>
#include <cstdio>
#include <deque>
#include <iostream>

namespace tiles {

/// Deals numbers 0, 1, 2, ... to all ranks.
class Dealer {
public:
    explicit Dealer(MPI_Comm comm) : comm_(comm) {
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        const MPI_Aint bytes = rank == 0 ? 64 : 0;
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm, &next_, &window_);
        MPI_Win_set_name(window_, "dealer");
        restart();
    }
    ~Dealer() { MPI_Win_free(&window_); }

    long take() {
        const long one = 1;
        long number = 0;
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window_);
        MPI_Fetch_and_op(&one, &number, MPI_LONG, 0, 0, MPI_SUM, window_);
        MPI_Win_unlock(0, window_);
        return number;
    }

    void restart() {
        int rank = 0;
        MPI_Comm_rank(comm_, &rank);
        MPI_Barrier(comm_);
        if (rank == 0) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window_);
            *next_ = 0;
            MPI_Win_unlock(0, window_);
        }
        MPI_Barrier(comm_);
    }

private:
    MPI_Comm comm_;
    long *next_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
};

Fetch fetch_of(const std::string &word) {
    if (word == "get") return Fetch::Get;
    if (word == "rget") return Fetch::Rget;
    if (word == "accumulate") return Fetch::Accumulate;
    throw UsageError("--fetch is get, rget or accumulate");
}

/// One product: result += matrix * x, tile by tile.
void multiply(TiledMatrix &matrix, const std::vector<double> &x, SharedVector &result, Dealer &dealer, Fetch fetch,
              bool by_columns) {
    const int n = matrix.tiles(), tile = matrix.tile_size();
    std::deque<std::pair<int, std::vector<double>>> letters;
    for (long next = dealer.take(); next < static_cast<long>(n) * n; next = dealer.take()) {
        const int one = static_cast<int>(next / n), other = static_cast<int>(next % n);
        const Place place = by_columns ? Place{other, one} : Place{one, other};
        const double *entries = matrix.fetch(place, fetch);
        std::vector<double> sums(static_cast<std::size_t>(tile));
        for (int r = 0; r < tile; r++) {
            for (int c = 0; c < tile; c++) {
                const auto column = static_cast<std::size_t>(place.second * tile + c);
                if (column < x.size()) sums[static_cast<std::size_t>(r)] += entries[r * tile + c] * x[column];
            }
        }
        letters.emplace_back(place.first * tile, std::move(sums));
    }
    result.open();
    for (const auto &[first, sums] : letters) result.add(first, sums);
    result.close();
}

int run(const Options &options) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int size = options.number("size", 96), tile = options.number("tile", 16);
    const int iterations = options.number("iterations", 12);
    const double tolerance = options.real("tolerance", 1e-10);
    const Fetch fetch = fetch_of(options.text("fetch", "get"));
    const std::string order = options.text("order", "rows");
    if (order != "rows" && order != "columns") throw UsageError("--order is rows or columns");
    if (tile > size) throw UsageError("tiles are larger than the matrix");
    const bool symmetric = options.flag("symmetric");

    TiledMatrix matrix(MPI_COMM_WORLD, size, tile, symmetric, static_cast<std::size_t>(options.number("cache", 8)));
    SharedVector vector(MPI_COMM_WORLD, size), product(MPI_COMM_WORLD, size);
    Dealer dealer(MPI_COMM_WORLD);
    vector.set([](int i) { return 1.0 + 0.1 * (i % 3); });
    MPI_Barrier(MPI_COMM_WORLD);
    double value = 0.0;
    int done = 0;
    while (done < iterations) {
        const double norm = std::sqrt(vector.square_sum());
        vector.scale(1.0 / norm);
        const std::vector<double> x = vector.all();
        product.set([](int) { return 0.0; });
        MPI_Barrier(MPI_COMM_WORLD);
        multiply(matrix, x, product, dealer, fetch, order == "columns");
        dealer.restart();
        const std::vector<double> y = product.all();
        double next = 0.0;
        for (std::size_t i = 0; i < x.size(); i++) next += x[i] * y[i];
        std::swap(value, next);
        done++;
        vector.open();
        if (rank == 0) vector.add(0, y);
        vector.close();
        if (std::fabs(next - value) < tolerance * std::fabs(value)) break;
    }
    bool right = true;
    if (rank == 0 && options.flag("verify")) {
        std::vector<double> x(static_cast<std::size_t>(size), 1.0), y(x.size());
        const std::vector<double> last = x;
        double plain = 0.0;
        for (int step = 0; step < 200; step++) {
            double norm = 0.0;
            for (std::size_t r = 0; r < x.size(); r++) {
                y[r] = 0.0;
                for (std::size_t c = 0; c < x.size(); c++)
                    y[r] += TiledMatrix::entry(static_cast<int>(r), static_cast<int>(c), symmetric) * x[c];
                norm += y[r] * y[r];
            }
            plain = std::sqrt(norm);
            for (std::size_t r = 0; r < x.size(); r++) x[r] = y[r] / plain;
        }
        right = std::fabs(plain - value) < 1e-2 * plain;
    }
    MPI_Bcast(&right, 1, MPI_CXX_BOOL, 0, MPI_COMM_WORLD);
    long fetched = matrix.fetched();
    MPI_Allreduce(MPI_IN_PLACE, &fetched, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("tiles: %d iterations, %ld tiles fetched, largest value %.6f\ncheck: %s\n", done, fetched, value,
                    right ? "passed" : "failed");
    return right ? 0 : 1;
}

} // namespace tiles

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int status = 0, rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        const tiles::Options options(argc, argv);
        if (options.flag("help")) {
            if (rank == 0) std::cout << tiles::usage();
        } else {
            status = tiles::run(options);
        }
    } catch (const tiles::UsageError &error) {
        if (rank == 0) std::cerr << "tiles: " << error.what() << "\n" << tiles::usage();
        status = 2;
    }
    MPI_Finalize();
    return status;
}
