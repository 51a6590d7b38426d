// What can be asked of the program.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace plasma {

enum class Problem { Langmuir, TwoStream, Thermal };

struct Options {
    Problem problem = Problem::Langmuir;
    int nx = 16;            // cells along the direction that is dealt to ranks
    int ny = 8;
    int per_cell = 4;       // particles a cell
    int steps = 30;
    double dt = 0.2;        // in inverse plasma frequencies
    double amplitude = 0.02;
    double drift = 1.0;     // velocity of all, so that particles change ranks
    double spread = 0.1;    // thermal velocity
    double tolerance = 1e-6;
    int report = 10;
    int sort = 8;           // steps between sorting particles by cell
    double room = 3.0;      // mailbox capacity, as a multiple of a column's particles
    std::uint64_t seed = 1;
    std::string history;    // file of the energies; empty: none
    bool help = false;

    // Throws Error for what cannot be.
    static Options parse(int argc, char **argv);
    void validate(int ranks) const;
    static void usage(std::ostream &out);
};

std::ostream &operator<<(std::ostream &out, const Options &options);

} // namespace plasma
