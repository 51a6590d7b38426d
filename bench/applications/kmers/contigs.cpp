#include "contigs.hpp"

#include <numeric>
#include <unordered_map>

namespace kmers {

// Contigs of different words are counted; the digest does not depend on their order.
void tally(const std::vector<std::string> &contigs, int k, ContigAnswers &a) {
    for (const std::string &contig : contigs) {
        const auto length = static_cast<std::int64_t>(contig.size());
        a.contigs++;
        a.letters += length;
        a.longest = std::max(a.longest, length);
        a.words += length - k + 1;
        std::uint64_t hash = 1469598103934665603ULL;
        for (char letter : contig) hash = (hash ^ static_cast<std::uint64_t>(letter)) * 1099511628211ULL;
        a.digest += hash;
    }
}

std::int64_t half_length(std::vector<std::int64_t> lengths) {
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    const std::int64_t all = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    std::int64_t sum = 0;
    for (std::int64_t length : lengths) {
        sum += length;
        if (2 * sum >= all) return length;
    }
    return 0;
}

ContigBuilder::ContigBuilder(MPI_Comm comm, Table &table, int k, int threshold)
    : comm_(comm), table_(table), k_(k), threshold_(threshold),
      marks_(comm, table.capacity(), std::int64_t{0}, "marks") {
    MPI_Barrier(comm); // marks are zero everywhere
}

std::vector<std::int64_t> ContigBuilder::all_lengths() const {
    int ranks = 1;
    MPI_Comm_size(comm_, &ranks);
    std::vector<std::int64_t> mine;
    for (const std::string &contig : contigs_) mine.push_back(static_cast<std::int64_t>(contig.size()));
    const int count = static_cast<int>(mine.size());
    std::vector<int> counts(static_cast<std::size_t>(ranks)), places(counts.size());
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm_);
    for (std::size_t r = 1; r < counts.size(); r++) places[r] = places[r - 1] + counts[r - 1];
    std::vector<std::int64_t> all(static_cast<std::size_t>(places.back() + counts.back()));
    MPI_Allgatherv(mine.data(), count, MPI_INT64_T, all.data(), counts.data(), places.data(), MPI_INT64_T, comm_);
    return all;
}

ContigAnswers ContigBuilder::build() {
    auto count_of = [this](Word word) { return table_.find(word); };
    const std::int64_t one = 1; // the origin of all marks, until they are flushed
    table_.each_local([&](Word word, std::int64_t count) {
        if (count < threshold_) return;
        for (const Word first : {word, word.complement()}) {
            const std::vector<Word> path = contig_from(first, threshold_, count_of);
            if (path.empty()) continue;
            // A single word is its own contig in both orientations: only the canonical one counts.
            if (path.size() == 1 && !(first == word)) continue;
            contigs_.push_back(spell(path));
            for (const Word step : path) {
                const Word canonical = step.canonical();
                const std::int64_t entry = table_.locate(canonical);
                MPI_Accumulate(&one, 1, MPI_INT64_T, table_.owner(canonical), static_cast<MPI_Aint>(entry), 1,
                               MPI_INT64_T, MPI_SUM, marks_.window());
            }
        }
    });
    MPI_Win_flush_all(marks_.window());
    MPI_Barrier(comm_);
    marks_.sync();
    ContigAnswers a;
    tally(contigs_, k_, a);
    std::int64_t sums[] = {a.contigs, a.letters, a.words};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INT64_T, MPI_SUM, comm_);
    MPI_Allreduce(MPI_IN_PLACE, &a.longest, 1, MPI_INT64_T, MPI_MAX, comm_);
    MPI_Allreduce(MPI_IN_PLACE, &a.digest, 1, MPI_UINT64_T, MPI_SUM, comm_);
    a.contigs = sums[0];
    a.letters = sums[1];
    a.words = sums[2];
    a.half = half_length(all_lengths());
    return a;
}

std::int64_t ContigBuilder::marked_twice() {
    std::int64_t twice = 0;
    for (std::size_t i = 0; i < marks_.size(); i++)
        if (marks_.data()[i] > 1) twice++;
    MPI_Allreduce(MPI_IN_PLACE, &twice, 1, MPI_INT64_T, MPI_SUM, comm_);
    return twice;
}

ContigAnswers contigs_serially(const Reads &reads, int k, int threshold) {
    std::unordered_map<std::uint64_t, std::int64_t> counts;
    for (std::size_t i = 0; i < reads.count(); i++)
        each_word(reads.read(i), k, [&](Word word) { counts[word.bits()]++; });
    auto count_of = [&](Word word) -> std::int64_t {
        auto found = counts.find(word.bits());
        return found == counts.end() ? 0 : found->second;
    };
    std::vector<std::string> contigs;
    for (const auto &[bits, count] : counts) {
        if (count < threshold) continue;
        const Word word(bits, k);
        for (const Word first : {word, word.complement()}) {
            const std::vector<Word> path = contig_from(first, threshold, count_of);
            if (path.empty() || (path.size() == 1 && !(first == word))) continue;
            contigs.push_back(spell(path));
        }
    }
    ContigAnswers a;
    tally(contigs, k, a);
    std::vector<std::int64_t> lengths;
    for (const std::string &contig : contigs) lengths.push_back(static_cast<std::int64_t>(contig.size()));
    a.half = half_length(lengths);
    return a;
}

} // namespace kmers
