// Which columns of the channel a process has, and fields over them.
#pragma once

#include <cstddef>
#include <vector>

namespace lattice {

/// A part of the columns 0 to `width` - 1; the channel is periodic along x.
struct Domain {
    int width = 0;
    int height = 0;
    int rank = 0;
    int ranks = 1;

    int first_of(int owner) const { return static_cast<int>(static_cast<long>(width) * owner / ranks); }
    int first() const { return first_of(rank); }
    int columns() const { return first_of(rank + 1) - first(); }
    int left() const { return (rank + ranks - 1) % ranks; }
    int right() const { return (rank + 1) % ranks; }
    /// The process that has a column.
    int owner(int column) const
    {
        int owner = static_cast<int>(static_cast<long>(column) * ranks / width);
        while (owner + 1 < ranks && first_of(owner + 1) <= column) ++owner;
        while (first_of(owner) > column) --owner;
        return owner;
    }
};

/// Values of the columns of a domain and of one more at each side.
template <typename T> class Field {
public:
    Field() = default;
    explicit Field(const Domain &domain, T value = T{})
        : rows_(static_cast<std::size_t>(domain.columns()) + 2,
                std::vector<T>(static_cast<std::size_t>(domain.height), value))
    {
    }

    /// Column -1 and the one after the last are those of the neighbours.
    T &operator()(int x, int y) { return rows_[static_cast<std::size_t>(x + 1)][static_cast<std::size_t>(y)]; }
    const T &operator()(int x, int y) const
    {
        return rows_[static_cast<std::size_t>(x + 1)][static_cast<std::size_t>(y)];
    }
    std::vector<T> &column(int x) { return rows_[static_cast<std::size_t>(x + 1)]; }
    int columns() const { return static_cast<int>(rows_.size()) - 2; }

    void swap(Field &other) noexcept { rows_.swap(other.rows_); }

private:
    std::vector<std::vector<T>> rows_;
};

} // namespace lattice
