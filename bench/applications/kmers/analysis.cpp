#include "analysis.hpp"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace kmers {

bool Answers::operator==(const Answers &other) const {
    return total == other.total && distinct == other.distinct && solid == other.solid && ends == other.ends &&
           forks == other.forks && spectrum == other.spectrum && digest == other.digest;
}

void Answers::reduce(MPI_Comm comm) {
    std::array<std::int64_t, 5> sums = {total, distinct, solid, ends, forks};
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 5, MPI_INT64_T, MPI_SUM, comm);
    total = sums[0];
    distinct = sums[1];
    solid = sums[2];
    ends = sums[3];
    forks = sums[4];
    MPI_Allreduce(MPI_IN_PLACE, spectrum.data(), static_cast<int>(spectrum.size()), MPI_INT64_T, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &digest, 1, MPI_UINT64_T, MPI_SUM, comm);
}

Answers analyse(MPI_Comm comm, Table &table, int threshold) {
    Answers answers;
    // Lookups read other windows' memory while the local entries are walked: all of it is read only now.
    table.each_local([&](Word word, std::int64_t count) {
        classify(word, count, threshold, answers, [&](Word other) { return table.find(other); });
    });
    answers.reduce(comm);
    return answers;
}

Answers analyse_serially(const Reads &reads, int k, int threshold) {
    std::unordered_map<std::uint64_t, std::int64_t> counts;
    for (std::size_t i = 0; i < reads.count(); i++)
        each_word(reads.read(i), k, [&](Word word) { counts[word.bits()]++; });
    Answers answers;
    for (const auto &[bits, count] : counts)
        classify(Word(bits, k), count, threshold, answers, [&](Word other) -> std::int64_t {
            auto found = counts.find(other.bits());
            return found == counts.end() ? 0 : found->second;
        });
    return answers;
}

void print(const Answers &a) {
    std::printf("%ld words, %ld distinct, %ld solid; %ld ends, %ld forks\n", static_cast<long>(a.total),
                static_cast<long>(a.distinct), static_cast<long>(a.solid), static_cast<long>(a.ends),
                static_cast<long>(a.forks));
    std::printf("spectrum:");
    for (std::size_t i = 1; i < a.spectrum.size(); i++) std::printf(" %ld", static_cast<long>(a.spectrum[i]));
    std::printf("\n");
}

Leaders::Leaders(MPI_Comm comm, std::size_t each) : comm_(comm), each_(each) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    const std::size_t words = rank_ == 0 ? 2 * each * static_cast<std::size_t>(ranks_) : 0;
    const auto bytes = static_cast<MPI_Aint>(words * sizeof(std::int64_t));
    if (words > 0 && MPI_Alloc_mem(bytes, MPI_INFO_NULL, &board_) != MPI_SUCCESS) throw Error("no memory");
    for (std::size_t i = 0; i < words; i++) board_[i] = 0;
    MPI_Win_create(board_, bytes, sizeof(std::int64_t), MPI_INFO_NULL, comm, &window_);
    MPI_Win_set_name(window_, "leaders");
}

Leaders::~Leaders() {
    MPI_Win_free(&window_);
    if (board_ != nullptr) MPI_Free_mem(board_);
}

std::vector<std::pair<std::int64_t, std::uint64_t>> Leaders::collect(const Table &table) {
    std::vector<std::pair<std::int64_t, std::uint64_t>> best;
    table.each_local([&](Word word, std::int64_t count) { best.emplace_back(count, word.bits()); });
    std::sort(best.begin(), best.end(), [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (best.size() > each_) best.resize(each_);
    std::vector<std::int64_t> flat;
    for (const auto &[count, word] : best) {
        flat.push_back(count);
        flat.push_back(static_cast<std::int64_t>(word));
    }
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window_);
    if (!flat.empty()) {
        const int n = static_cast<int>(flat.size());
        const auto place = static_cast<MPI_Aint>(2 * each_ * static_cast<std::size_t>(rank_));
        MPI_Put(flat.data(), n, MPI_INT64_T, 0, place, n, MPI_INT64_T, window_);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window_);
    best.clear();
    if (rank_ == 0) {
        for (std::size_t i = 0; i < each_ * static_cast<std::size_t>(ranks_); i++)
            if (board_[2 * i] > 0) best.emplace_back(board_[2 * i], static_cast<std::uint64_t>(board_[2 * i + 1]));
        std::sort(best.begin(), best.end(), [](const auto &a, const auto &b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        if (best.size() > each_) best.resize(each_);
    }
    return best;
}

} // namespace kmers
