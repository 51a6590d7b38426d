// What is computed from counts: the spectrum, and the graph of words that overlap.
#pragma once

#include "reads.hpp"
#include "table.hpp"

#include <array>
#include <map>

namespace kmers {

constexpr std::size_t spectrum_size = 16;

struct Answers {
    std::int64_t total = 0;    // words counted, with repetitions
    std::int64_t distinct = 0;
    std::int64_t solid = 0;    // words at least as often as the threshold
    std::int64_t ends = 0;     // sides of solid words without a solid neighbour
    std::int64_t forks = 0;    // sides with more than one
    std::array<std::int64_t, spectrum_size> spectrum{}; // words by count; the last: that or more
    std::uint64_t digest = 0;  // sum of hashes times counts

    bool operator==(const Answers &other) const;
    void reduce(MPI_Comm comm);
};

// Looks neighbours up with `count_of`, a function from word to count.
template <class F> void classify(Word word, std::int64_t count, int threshold, Answers &a, F &&count_of) {
    a.total += count;
    a.distinct++;
    const auto slot = static_cast<std::size_t>(count) < spectrum_size ? static_cast<std::size_t>(count)
                                                                      : spectrum_size - 1;
    a.spectrum[slot]++;
    a.digest += word.hash() * static_cast<std::uint64_t>(count);
    if (count < threshold) return;
    a.solid++;
    for (int side = 0; side < 2; side++) {
        int neighbours = 0;
        for (int code = 0; code < 4; code++) {
            const Word other = side == 0 ? word.prepend(code) : word.append(code);
            if (count_of(other.canonical()) >= threshold) neighbours++;
        }
        if (neighbours == 0) a.ends++;
        if (neighbours > 1) a.forks++;
    }
}

Answers analyse(MPI_Comm comm, Table &table, int threshold);
Answers analyse_serially(const Reads &reads, int k, int threshold);
void print(const Answers &answers);

// The most frequent words of all ranks, in the memory of rank 0.
class Leaders {
public:
    Leaders(MPI_Comm comm, std::size_t each);
    ~Leaders();
    Leaders(const Leaders &) = delete;
    Leaders &operator=(const Leaders &) = delete;
    // Collective. The result is on rank 0.
    std::vector<std::pair<std::int64_t, std::uint64_t>> collect(const Table &table);

private:
    MPI_Comm comm_;
    int rank_ = 0, ranks_ = 1;
    std::size_t each_;
    std::int64_t *board_ = nullptr; // pairs of count and word, `each` for every rank
    MPI_Win window_ = MPI_WIN_NULL;
};

} // namespace kmers
