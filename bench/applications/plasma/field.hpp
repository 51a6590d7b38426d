// Charge, potential and electric field.
#pragma once

#include "grid.hpp"

namespace plasma {

class Field {
public:
    explicit Field(const Grid &grid, const char *name)
        : grid_(grid), values_(grid.comm(), grid.size(), name), edge_(static_cast<std::size_t>(grid.ny()) * 2) {}

    double &operator()(int column, int row) { return values_[grid_.at(column, row)]; }
    double operator()(int column, int row) const { return values_[grid_.at(column, row)]; }
    const Grid &grid() const { return grid_; }

    void clear() {
        for (double &value : values_) value = 0.0;
    }
    // Fills the ghost columns with the neighbours' outermost columns.
    void fill_ghosts();
    // Adds the ghost columns to the neighbours' outermost columns, and clears them.
    void fold_ghosts();
    double dot(const Field &other) const;
    double total() const;

private:
    const Grid &grid_;
    Window<double> values_;
    std::vector<double> edge_; // what is put or added, apart from the window
};

// Solves -laplace(potential) = charge with conjugate gradients, the mean being zero. Returns the iterations.
class Poisson {
public:
    Poisson(const Grid &grid, double tolerance);
    int solve(const Field &charge, Field &potential);
    double residual() const { return residual_; }

private:
    void apply(Field &from, std::vector<double> &to) const;
    std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(column) * static_cast<std::size_t>(grid_.ny()) + static_cast<std::size_t>(row);
    }
    const Grid &grid_;
    double tolerance_;
    double residual_ = 0.0;
    Field direction_;
    std::vector<double> rest_, product_;
};

void electric_field(Field &potential, Field &ex, Field &ey);

} // namespace plasma
