// Words of k letters, two bits each.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kmers {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline int code_of(char letter) {
    switch (letter) {
    case 'A': case 'a': return 0;
    case 'C': case 'c': return 1;
    case 'G': case 'g': return 2;
    case 'T': case 't': return 3;
    default: return -1;
    }
}

inline char letter_of(int code) { return "ACGT"[code & 3]; }

class Word {
public:
    Word() = default;
    Word(std::uint64_t bits, int k) : bits_(bits), k_(k) {}

    static constexpr int longest = 31;

    std::uint64_t bits() const { return bits_; }
    Word append(int code) const { return {((bits_ << 2) | static_cast<std::uint64_t>(code)) & mask(), k_}; }
    Word prepend(int code) const {
        return {(bits_ >> 2) | (static_cast<std::uint64_t>(code) << (2 * (k_ - 1))), k_};
    }
    Word complement() const {
        std::uint64_t in = ~bits_, out = 0;
        for (int i = 0; i < k_; i++) {
            out = (out << 2) | (in & 3);
            in >>= 2;
        }
        return {out, k_};
    }
    // A word and its reverse complement are the same piece of DNA: the smaller one stands for both.
    Word canonical() const {
        Word other = complement();
        return other.bits_ < bits_ ? other : *this;
    }
    std::string text() const {
        std::string out(static_cast<std::size_t>(k_), '?');
        for (int i = 0; i < k_; i++)
            out[static_cast<std::size_t>(i)] = letter_of(static_cast<int>(bits_ >> (2 * (k_ - 1 - i))));
        return out;
    }
    std::uint64_t hash() const {
        std::uint64_t x = bits_ + 0x9e3779b97f4a7c15ULL;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }
    bool operator==(const Word &other) const { return bits_ == other.bits_; }

private:
    std::uint64_t mask() const { return (1ULL << (2 * k_)) - 1; }
    std::uint64_t bits_ = 0;
    int k_ = 1;
};

// Calls `visit` with each canonical word of a sequence. Letters other than ACGT interrupt it.
template <class F> void each_word(std::string_view sequence, int k, F &&visit) {
    Word word(0, k);
    int valid = 0;
    for (char letter : sequence) {
        const int code = code_of(letter);
        if (code < 0) {
            valid = 0;
            continue;
        }
        word = word.append(code);
        if (++valid >= k) visit(word.canonical());
    }
}

} // namespace kmers
