// Where reads come from: a simulated genome, or a file of sequences.
#pragma once

#include "kmer.hpp"

#include <cstddef>
#include <vector>

namespace kmers {

class Reads {
public:
    virtual ~Reads() = default;
    virtual std::size_t count() const = 0;
    virtual std::string read(std::size_t number) const = 0;
};

// A random genome with a repeated piece; reads at random places, from both strands, with errors. A read is a function
// of its number, so any rank can make any of them.
class SimulatedReads : public Reads {
public:
    SimulatedReads(std::size_t genome, std::size_t length, double coverage, double errors, std::uint64_t seed);
    std::size_t count() const override { return count_; }
    std::string read(std::size_t number) const override;
    const std::string &genome() const { return genome_; }

private:
    std::string genome_;
    std::size_t length_;
    std::size_t count_;
    double errors_;
    std::uint64_t seed_;
};

// FASTA, FASTQ, or a sequence a line.
class FileReads : public Reads {
public:
    explicit FileReads(const std::string &name);
    std::size_t count() const override { return list_.size(); }
    std::string read(std::size_t number) const override { return list_.at(number); }

private:
    std::vector<std::string> list_;
};

} // namespace kmers
