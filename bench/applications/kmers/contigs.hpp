// Contigs: paths of solid words that extend each other uniquely.
#pragma once

#include "analysis.hpp"

#include <algorithm>

namespace kmers {

struct ContigAnswers {
    std::int64_t contigs = 0;
    std::int64_t letters = 0;
    std::int64_t longest = 0;
    std::int64_t words = 0;
    std::int64_t half = 0; // N50: contigs of this length or longer have half of all letters
    std::uint64_t digest = 0;
    bool operator==(const ContigAnswers &o) const {
        return contigs == o.contigs && letters == o.letters && longest == o.longest && words == o.words &&
               half == o.half && digest == o.digest;
    }
};

// The only solid word after `word` (an orientation, not canonical), or nothing.
template <class F> std::optional<Word> extension(Word word, int threshold, F &&count_of) {
    std::optional<Word> only;
    for (int code = 0; code < 4; code++) {
        const Word next = word.append(code);
        if (count_of(next.canonical()) < threshold) continue;
        if (only) return std::nullopt;
        only = next;
    }
    return only;
}

// The word after `word`, if both extend each other uniquely.
template <class F> std::optional<Word> successor(Word word, int threshold, F &&count_of) {
    const std::optional<Word> next = extension(word, threshold, count_of);
    if (!next) return std::nullopt;
    const std::optional<Word> back = extension(next->complement(), threshold, count_of);
    if (!back || !(*back == word.complement())) return std::nullopt;
    return next;
}

// The contig that begins with `first`, or nothing if `first` is in the middle of one, or its last word's complement is
// the beginning to be taken instead.
template <class F> std::vector<Word> contig_from(Word first, int threshold, F &&count_of) {
    std::vector<Word> path;
    if (successor(first.complement(), threshold, count_of)) return path;
    path.push_back(first);
    while (auto next = successor(path.back(), threshold, count_of)) {
        if (*next == first) break; // a hairpin
        path.push_back(*next);
    }
    if (path.back().complement().bits() < first.bits()) path.clear();
    return path;
}

inline std::string spell(const std::vector<Word> &path) {
    std::string out = path.front().text();
    for (std::size_t i = 1; i < path.size(); i++) out += letter_of(static_cast<int>(path[i].bits()));
    return out;
}

void tally(const std::vector<std::string> &contigs, int k, ContigAnswers &a);
std::int64_t half_length(std::vector<std::int64_t> lengths);

// Builds contigs from the words of this rank, and marks the words of each where they lie.
class ContigBuilder {
public:
    ContigBuilder(MPI_Comm comm, Table &table, int k, int threshold);
    // Collective.
    ContigAnswers build();
    // Words that are in more than one contig; collective, after build().
    std::int64_t marked_twice();
    const std::vector<std::string> &mine() const { return contigs_; }

private:
    std::vector<std::int64_t> all_lengths() const;

    MPI_Comm comm_;
    Table &table_;
    int k_, threshold_;
    Shared<std::int64_t> marks_;
    std::vector<std::string> contigs_;
};

ContigAnswers contigs_serially(const Reads &reads, int k, int threshold);

} // namespace kmers
