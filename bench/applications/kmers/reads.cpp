#include "reads.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <random>

namespace kmers {

SimulatedReads::SimulatedReads(std::size_t genome, std::size_t length, double coverage, double errors,
                               std::uint64_t seed)
    : length_(std::min(length, genome)), errors_(errors), seed_(seed) {
    std::mt19937_64 random(seed);
    genome_.reserve(genome);
    for (std::size_t i = 0; i < genome; i++) genome_ += letter_of(static_cast<int>(random() & 3));
    // A piece from the first third again in the last one.
    const std::size_t piece = genome / 10;
    genome_.replace(2 * genome / 3, piece, genome_, genome / 6, piece);
    count_ = static_cast<std::size_t>(coverage * static_cast<double>(genome) / static_cast<double>(length_));
}

std::string SimulatedReads::read(std::size_t number) const {
    std::mt19937_64 random(seed_ ^ (0x9e3779b97f4a7c15ULL * (number + 1)));
    const std::size_t at = random() % (genome_.size() - length_ + 1);
    std::string out = genome_.substr(at, length_);
    if (random() & 1) {
        std::reverse(out.begin(), out.end());
        for (char &letter : out) letter = letter_of(3 - code_of(letter));
    }
    for (char &letter : out) {
        const double chance = static_cast<double>(random() >> 11) / 9007199254740992.0;
        if (chance < errors_) letter = letter_of(code_of(letter) + 1 + static_cast<int>(random() % 3));
        else if (chance < errors_ * 1.1) letter = 'N';
    }
    return out;
}

FileReads::FileReads(const std::string &name) {
    std::ifstream in(name);
    if (!in) throw Error("cannot read " + name);
    std::string line;
    bool fasta = false;
    while (std::getline(in, line)) {
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
        if (line.empty()) continue;
        if (line[0] == '>') {
            fasta = true;
            list_.emplace_back();
        } else if (line[0] == '@') {
            std::string sequence, plus, quality;
            if (!std::getline(in, sequence) || !std::getline(in, plus) || !std::getline(in, quality) || plus[0] != '+')
                throw Error(name + ": a record of FASTQ is cut off");
            list_.push_back(sequence);
        } else if (fasta) {
            list_.back() += line;
        } else {
            list_.push_back(line);
        }
    }
    if (list_.empty()) throw Error(name + " has no sequences");
}

} // namespace kmers
