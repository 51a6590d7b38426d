// A hash table over the memory of all ranks, with chained entries, that all ranks insert into without locks.
//
// A word's hash says its owner and its bucket there. A bucket is the number of the first entry of a chain. Entries are
// taken from the owner's pool with fetch and add, written with a put, completed, and only then linked with compare and
// swap: who finds an entry finds it whole. Word and next entry never change after that. Counts lie in a window of
// their own and are only accumulated to until freeze().
#pragma once

#include "kmer.hpp"

#include <mpi.h>

#include <optional>
#include <utility>
#include <vector>

namespace kmers {

template <class T> class Shared {
public:
    Shared(MPI_Comm comm, std::size_t count, T value, const char *name) : size_(count) {
        const auto bytes = static_cast<MPI_Aint>((count * sizeof(T) / 64 + 1) * 64);
        if (MPI_Win_allocate(bytes, sizeof(T), MPI_INFO_NULL, comm, &memory_, &window_) != MPI_SUCCESS)
            throw Error(std::string("no memory for ") + name);
        MPI_Win_set_name(window_, name);
        MPI_Win_lock_all(0, window_);
        for (std::size_t i = 0; i < count; i++) memory_[i] = value;
        MPI_Win_sync(window_);
    }
    Shared(const Shared &) = delete;
    Shared &operator=(const Shared &) = delete;
    ~Shared() {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }
    MPI_Win window() const { return window_; }
    T *data() { return memory_; }
    const T *data() const { return memory_; }
    std::size_t size() const { return size_; }
    void sync() const { MPI_Win_sync(window_); }

private:
    MPI_Win window_ = MPI_WIN_NULL;
    T *memory_ = nullptr;
    std::size_t size_;
};

struct Link {
    std::uint64_t word;
    std::int64_t next; // entry, or none
};

struct Statistics {
    std::int64_t inserted = 0;  // calls
    std::int64_t created = 0;   // entries linked
    std::int64_t wasted = 0;    // entries taken from the pool and not linked, since another rank was first
    std::int64_t retries = 0;   // compare and swap failed
    std::int64_t steps = 0;     // entries read on the way
};

class Table {
public:
    static constexpr std::int64_t none = -1;

    Table(MPI_Comm comm, int k, std::size_t buckets, std::size_t capacity);
    ~Table();
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;

    // Adds to the count of a word; creates it if it is new.
    void add(Word word, std::int64_t count);
    // Completes all additions. Collective. After it the table is read only.
    void freeze();
    // The count of a word, or 0. After freeze().
    std::int64_t find(Word word);
    // The entry of a word at its owner, or none. After freeze().
    std::int64_t locate(Word word);
    std::size_t capacity() const { return capacity_; }
    // The entries of this rank. After freeze().
    template <class F> void each_local(F &&visit) const {
        for (std::size_t b = 0; b < buckets_; b++)
            for (std::int64_t e = heads_.data()[b]; e != none; e = links_.data()[e].next)
                visit(Word(links_.data()[e].word, k_), counts_.data()[e]);
    }
    const Statistics &statistics() const { return statistics_; }
    int owner(Word word) const { return static_cast<int>(word.hash() % static_cast<std::uint64_t>(ranks_)); }

private:
    struct Walk {
        std::int64_t entry; // the entry found, or none
    };
    std::int64_t head(int owner, std::size_t bucket);
    Walk walk(Word word, int owner, std::int64_t from, std::int64_t until);
    std::int64_t take(int owner);

    MPI_Comm comm_;
    int rank_ = 0, ranks_ = 1;
    int k_;
    std::size_t buckets_, capacity_;
    Shared<std::int64_t> heads_;
    Shared<Link> links_;
    Shared<std::int64_t> counts_;
    Shared<std::int64_t> used_;
    MPI_Datatype link_type_ = MPI_DATATYPE_NULL;
    Statistics statistics_;
    bool frozen_ = false;
};

// Counts words in front of a table, and adds them in batches: most words come more than once.
class Combiner {
public:
    Combiner(Table &table, std::size_t limit) : table_(table), limit_(limit) {}
    void add(Word word);
    void flush();

private:
    Table &table_;
    std::size_t limit_;
    std::vector<std::pair<std::uint64_t, Word>> batch_; // hash, word
};

} // namespace kmers
