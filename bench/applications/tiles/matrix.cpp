#include "matrix.hpp"

#include <algorithm>
#include <cmath>

namespace tiles {

Window::Window(MPI_Comm comm, std::size_t count, const std::string &name) {
    const auto bytes = static_cast<MPI_Aint>(count * sizeof(double));
    MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, comm, &data_, &window_);
    MPI_Win_set_name(window_, name.c_str());
    std::fill_n(data_, count, 0.0);
}

Window::~Window() { MPI_Win_free(&window_); }

double TiledMatrix::entry(int row, int column, bool symmetric) {
    if (row == column) return 4.0 + 0.01 * row;
    const int distance = symmetric ? std::abs(row - column) : row - column + (row < column ? 7 : 0);
    return 1.0 / (1.0 + distance * distance);
}

TiledMatrix::TiledMatrix(MPI_Comm comm, int size, int tile, bool symmetric, std::size_t cached)
    : comm_(comm), size_(size), tile_(tile), tiles_((size + tile - 1) / tile), cached_(cached) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    const std::size_t area = static_cast<std::size_t>(tile) * static_cast<std::size_t>(tile);
    const std::size_t most = static_cast<std::size_t>((tiles_ * tiles_ + ranks_ - 1) / ranks_);
    store_ = std::make_unique<Window>(comm, most * area, "tiles");
    for (int i = 0; i < tiles_; i++) {
        for (int j = 0; j < tiles_; j++) {
            const Place place{i, j};
            if (owner(place) != rank_) continue;
            double *begin = store_->data() + slot(place);
            for (int r = 0; r < tile; r++) {
                for (int c = 0; c < tile; c++) {
                    const int row = i * tile + r, column = j * tile + c;
                    const bool inside = row < size && column < size;
                    begin[r * tile + c] = inside ? entry(row, column, symmetric) : 0.0;
                }
            }
        }
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, store_->get());
    MPI_Win_sync(store_->get());
    MPI_Barrier(comm_);
}

TiledMatrix::~TiledMatrix() { MPI_Win_unlock_all(store_->get()); }

MPI_Aint TiledMatrix::slot(Place place) const {
    return static_cast<MPI_Aint>((place.first * tiles_ + place.second) / ranks_) * tile_ * tile_;
}

const double *TiledMatrix::fetch(Place place, Fetch way) {
    const int from = owner(place);
    if (from == rank_) return store_->data() + slot(place);
    const auto known = cache_.find(place);
    if (known != cache_.end()) return known->second.data();
    if (cache_.size() >= cached_) {
        cache_.erase(order_.front());
        order_.erase(order_.begin());
    }
    const int area = tile_ * tile_;
    std::vector<double> &copy = cache_[place];
    copy.resize(static_cast<std::size_t>(area));
    order_.push_back(place);
    if (way == Fetch::Accumulate) {
        MPI_Get_accumulate(nullptr, 0, MPI_DOUBLE, copy.data(), area, MPI_DOUBLE, from, slot(place), area, MPI_DOUBLE,
                           MPI_NO_OP, store_->get());
        MPI_Win_flush(from, store_->get());
    } else if (way == Fetch::Rget) {
        MPI_Request pending;
        MPI_Rget(copy.data(), area, MPI_DOUBLE, from, slot(place), area, MPI_DOUBLE, store_->get(), &pending);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
    } else {
        MPI_Get(copy.data(), area, MPI_DOUBLE, from, slot(place), area, MPI_DOUBLE, store_->get());
        MPI_Win_flush(from, store_->get());
    }
    fetched_++;
    return copy.data();
}

namespace {
int share_of(MPI_Comm comm, int size) {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    return (size + ranks - 1) / ranks;
}
} // namespace

SharedVector::SharedVector(MPI_Comm comm, int size)
    : comm_(comm), size_(size), share_(share_of(comm, size)),
      part_(comm, static_cast<std::size_t>(share_of(comm, size)), "vector") {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    MPI_Barrier(comm);
}

int SharedVector::count() const { return std::clamp(size_ - rank_ * share_, 0, share_); }

std::vector<double> SharedVector::all() {
    std::vector<double> whole(static_cast<std::size_t>(share_ * ranks_));
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT, part_.get());
    for (int r = 0; r < ranks_; r++)
        MPI_Get(whole.data() + r * share_, share_, MPI_DOUBLE, r, 0, share_, MPI_DOUBLE, part_.get());
    MPI_Win_fence(MPI_MODE_NOSUCCEED, part_.get());
    whole.resize(static_cast<std::size_t>(size_));
    return whole;
}

void SharedVector::open() { MPI_Win_fence(MPI_MODE_NOPRECEDE, part_.get()); }

void SharedVector::add(int first, const std::vector<double> &values) {
    int done = 0;
    const int end = std::min(first + static_cast<int>(values.size()), size_);
    while (first + done < end) {
        const int at = first + done, owner = at / share_;
        const int length = std::min(end, (owner + 1) * share_) - at;
        MPI_Accumulate(values.data() + done, length, MPI_DOUBLE, owner, at - owner * share_, length, MPI_DOUBLE,
                       MPI_SUM, part_.get());
        done += length;
    }
}

void SharedVector::close() { MPI_Win_fence(MPI_MODE_NOSUCCEED, part_.get()); }

void SharedVector::scale(double factor) {
    for (int i = 0; i < count(); i++) part_.data()[i] *= factor;
}

double SharedVector::square_sum() {
    double sum = 0.0;
    for (int i = 0; i < count(); i++) sum += part_.data()[i] * part_.data()[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm_);
    return sum;
}

void SharedVector::set(double (*value)(int)) {
    for (int i = 0; i < count(); i++) part_.data()[i] = value(rank_ * share_ + i);
}

} // namespace tiles
