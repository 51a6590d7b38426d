// Addresses as sums, so that those which differ by a constant are known.
#pragma once

#include "gcc.h"

namespace farside {

/// `constant`, and each term times its factor, modulo 2^64. A term is a value that was widened with its own sign, or a
/// variable, which stands for its address.
struct Sum {
    struct Term {
        tree value;
        uint64_t factor;
    };
    std::vector<Term> terms;
    uint64_t constant = 0;

    /// What an address comes to.
    static Sum of(tree address);
    /// Whether two sums differ by a constant only.
    bool same_terms(const Sum &other) const;

  private:
    void add(tree value, uint64_t factor, unsigned depth);
    void add_object(tree reference, uint64_t factor, unsigned depth);
    void add_term(tree value, uint64_t factor);
};

} // namespace farside
