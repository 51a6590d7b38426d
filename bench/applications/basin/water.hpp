// Shallow water on triangles: finite volumes, HLL fluxes, hydrostatic reconstruction over an uneven bed.
#pragma once

#include "halo.hpp"

namespace basin {

enum class Problem { Dam, Rest, Drop };

class Water {
public:
    Water(const std::vector<Cell> &cells, Problem problem, double gravity);

    State initial(int count) const;
    // Adds the rate of change of a cell.
    void rate(const State &state, int cell, std::array<double, fields> &out) const;
    // The largest time step that cell `cell` allows.
    double limit(const State &state, int cell) const;
    double bed(int cell) const { return bed_[static_cast<std::size_t>(cell)]; }
    double energy(const State &state, int cell) const;
    const Cell &cell(int i) const { return cells_[static_cast<std::size_t>(i)]; }

private:
    std::array<double, fields> flux(const std::array<double, fields> &left, const std::array<double, fields> &right,
                                    Point normal) const;
    const std::vector<Cell> &cells_;
    Problem problem_;
    double gravity_;
    std::vector<double> bed_;
};

} // namespace basin
