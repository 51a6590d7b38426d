#include "table.hpp"

#include <algorithm>

namespace kmers {

Table::Table(MPI_Comm comm, int k, std::size_t buckets, std::size_t capacity)
    : comm_(comm), k_(k), buckets_(buckets), capacity_(capacity), heads_(comm, buckets, none, "heads"),
      links_(comm, capacity, Link{0, none}, "links"), counts_(comm, capacity, std::int64_t{0}, "counts"),
      used_(comm, 1, std::int64_t{0}, "used entries") {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {offsetof(Link, word), offsetof(Link, next)};
    const MPI_Datatype kinds[] = {MPI_UINT64_T, MPI_INT64_T};
    MPI_Type_create_struct(2, lengths, places, kinds, &link_type_);
    MPI_Type_commit(&link_type_);
    MPI_Barrier(comm_);
}

Table::~Table() { MPI_Type_free(&link_type_); }

std::int64_t Table::head(int owner, std::size_t bucket) {
    std::int64_t unused = 0, value = none;
    MPI_Fetch_and_op(&unused, &value, MPI_INT64_T, owner, static_cast<MPI_Aint>(bucket), MPI_NO_OP, heads_.window());
    MPI_Win_flush(owner, heads_.window());
    return value;
}

// Looks for a word in a chain, from an entry until another, or the end.
Table::Walk Table::walk(Word word, int owner, std::int64_t from, std::int64_t until) {
    for (std::int64_t entry = from; entry != until && entry != none;) {
        Link link{};
        MPI_Get(&link, 1, link_type_, owner, static_cast<MPI_Aint>(entry), 1, link_type_, links_.window());
        MPI_Win_flush(owner, links_.window());
        statistics_.steps++;
        if (link.word == word.bits()) return {entry};
        entry = link.next;
    }
    return {none};
}

std::int64_t Table::take(int owner) {
    const std::int64_t one = 1;
    std::int64_t entry = none;
    MPI_Fetch_and_op(&one, &entry, MPI_INT64_T, owner, 0, MPI_SUM, used_.window());
    MPI_Win_flush(owner, used_.window());
    if (entry >= static_cast<std::int64_t>(capacity_)) throw Error("the table is full: larger --capacity");
    return entry;
}

void Table::add(Word word, std::int64_t count) {
    if (frozen_) throw Error("the table is read only");
    const int target = owner(word);
    const auto bucket = static_cast<std::size_t>(word.hash() / static_cast<std::uint64_t>(ranks_) % buckets_);
    std::int64_t seen = none, mine = none;
    std::int64_t first = head(target, bucket);
    statistics_.inserted++;
    for (;;) {
        const Walk found = walk(word, target, first, seen);
        if (found.entry != none) {
            if (mine != none) statistics_.wasted++;
            mine = found.entry;
            break;
        }
        if (mine == none) mine = take(target);
        const Link link{word.bits(), first};
        MPI_Put(&link, 1, link_type_, target, static_cast<MPI_Aint>(mine), 1, link_type_, links_.window());
        MPI_Win_flush(target, links_.window()); // whole before anybody can find it
        std::int64_t before = none;
        MPI_Compare_and_swap(&mine, &first, &before, MPI_INT64_T, target, static_cast<MPI_Aint>(bucket),
                             heads_.window());
        MPI_Win_flush(target, heads_.window());
        if (before == first) {
            statistics_.created++;
            break;
        }
        statistics_.retries++;
        seen = first; // entries from there on are known
        first = before;
    }
    MPI_Accumulate(&count, 1, MPI_INT64_T, target, static_cast<MPI_Aint>(mine), 1, MPI_INT64_T, MPI_SUM,
                   counts_.window());
    MPI_Win_flush_local(target, counts_.window()); // `count` is on the stack
}

void Table::freeze() {
    MPI_Win_flush_all(counts_.window());
    MPI_Win_flush_all(links_.window());
    MPI_Win_flush_all(heads_.window());
    MPI_Barrier(comm_);
    heads_.sync();
    links_.sync();
    counts_.sync();
    frozen_ = true;
}

std::int64_t Table::locate(Word word) {
    if (!frozen_) throw Error("the table still grows");
    const int target = owner(word);
    const auto bucket = static_cast<std::size_t>(word.hash() / static_cast<std::uint64_t>(ranks_) % buckets_);
    std::int64_t first = none;
    MPI_Get(&first, 1, MPI_INT64_T, target, static_cast<MPI_Aint>(bucket), 1, MPI_INT64_T, heads_.window());
    MPI_Win_flush(target, heads_.window());
    return walk(word, target, first, none).entry;
}

std::int64_t Table::find(Word word) {
    const std::int64_t entry = locate(word);
    if (entry == none) return 0;
    std::int64_t count = 0;
    MPI_Request request;
    MPI_Rget(&count, 1, MPI_INT64_T, owner(word), static_cast<MPI_Aint>(entry), 1, MPI_INT64_T, counts_.window(),
             &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return count;
}

void Combiner::add(Word word) {
    batch_.emplace_back(word.hash(), word);
    if (batch_.size() >= limit_) flush();
}

void Combiner::flush() {
    std::sort(batch_.begin(), batch_.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (std::size_t i = 0; i < batch_.size();) {
        std::size_t j = i;
        while (j < batch_.size() && batch_[j].first == batch_[i].first) j++;
        table_.add(batch_[i].second, static_cast<std::int64_t>(j - i));
        i = j;
    }
    batch_.clear();
}

} // namespace kmers
