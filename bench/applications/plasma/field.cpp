#include "field.hpp"

#include <algorithm>

namespace plasma {

void Field::fill_ghosts() {
    const int ny = grid_.ny(), last = grid_.columns() - 1;
    const auto n = static_cast<std::size_t>(ny);
    for (int row = 0; row < ny; row++) {
        edge_[static_cast<std::size_t>(row)] = (*this)(0, row);
        edge_[n + static_cast<std::size_t>(row)] = (*this)(last, row);
    }
    values_.fence(MPI_MODE_NOPRECEDE);
    // My first column is what my left neighbour has beyond its last one.
    values_.put(edge_.data(), n, grid_.left(),
                static_cast<std::size_t>(grid_.columns_of(grid_.left()) + 1) * n);
    values_.put(edge_.data() + n, n, grid_.right(), 0);
    values_.fence(MPI_MODE_NOSUCCEED);
}

void Field::fold_ghosts() {
    const int ny = grid_.ny(), columns = grid_.columns();
    const auto n = static_cast<std::size_t>(ny);
    for (int row = 0; row < ny; row++) {
        edge_[static_cast<std::size_t>(row)] = (*this)(-1, row);
        edge_[n + static_cast<std::size_t>(row)] = (*this)(columns, row);
        (*this)(-1, row) = 0.0;
        (*this)(columns, row) = 0.0;
    }
    values_.fence(MPI_MODE_NOPRECEDE);
    values_.add(edge_.data(), n, grid_.left(), static_cast<std::size_t>(grid_.columns_of(grid_.left())) * n);
    values_.add(edge_.data() + n, n, grid_.right(), n);
    values_.fence(MPI_MODE_NOSUCCEED);
}

double Field::dot(const Field &other) const {
    double mine = 0.0;
    for (int c = 0; c < grid_.columns(); c++)
        for (int row = 0; row < grid_.ny(); row++) mine += (*this)(c, row) * other(c, row);
    return sum(grid_.comm(), mine);
}

double Field::total() const {
    double mine = 0.0;
    for (int c = 0; c < grid_.columns(); c++)
        for (int row = 0; row < grid_.ny(); row++) mine += (*this)(c, row);
    return sum(grid_.comm(), mine);
}

Poisson::Poisson(const Grid &grid, double tolerance)
    : grid_(grid), tolerance_(tolerance), direction_(grid, "search direction"),
      rest_(static_cast<std::size_t>(grid.columns()) * static_cast<std::size_t>(grid.ny())), product_(rest_.size()) {}

void Poisson::apply(Field &from, std::vector<double> &to) const {
    const double scale = 1.0 / (grid_.cell() * grid_.cell());
    from.fill_ghosts();
    for (int c = 0; c < grid_.columns(); c++)
        for (int row = 0; row < grid_.ny(); row++) {
            double around = from(c - 1, row) + from(c + 1, row) + from(c, grid_.up(row)) + from(c, grid_.down(row));
            to[index(c, row)] = scale * (4.0 * from(c, row) - around);
        }
}

int Poisson::solve(const Field &charge, Field &potential) {
    const int columns = grid_.columns(), ny = grid_.ny();
    const double mean = charge.total() / (static_cast<double>(grid_.nx()) * ny);
    double mine = 0.0, size = 0.0;
    apply(potential, product_);
    for (int c = 0; c < columns; c++)
        for (int row = 0; row < ny; row++) {
            double right = charge(c, row) - mean;
            double r = right - product_[index(c, row)];
            rest_[index(c, row)] = r;
            direction_(c, row) = r;
            mine += r * r;
            size += right * right;
        }
    double rr = sum(grid_.comm(), mine);
    const double limit = tolerance_ * tolerance_ * std::max(sum(grid_.comm(), size), 1e-30);
    int iterations = 0;
    while (rr > limit && iterations < 4 * (grid_.nx() + ny)) {
        apply(direction_, product_);
        mine = 0.0;
        for (int c = 0; c < columns; c++)
            for (int row = 0; row < ny; row++) mine += direction_(c, row) * product_[index(c, row)];
        const double alpha = rr / sum(grid_.comm(), mine);
        mine = 0.0;
        for (int c = 0; c < columns; c++)
            for (int row = 0; row < ny; row++) {
                potential(c, row) += alpha * direction_(c, row);
                double &r = rest_[index(c, row)];
                r -= alpha * product_[index(c, row)];
                mine += r * r;
            }
        const double next = sum(grid_.comm(), mine);
        for (int c = 0; c < columns; c++)
            for (int row = 0; row < ny; row++)
                direction_(c, row) = rest_[index(c, row)] + next / rr * direction_(c, row);
        rr = next;
        iterations++;
    }
    residual_ = std::sqrt(rr);
    return iterations;
}

void electric_field(Field &potential, Field &ex, Field &ey) {
    const Grid &grid = potential.grid();
    const double scale = 0.5 / grid.cell();
    potential.fill_ghosts();
    for (int c = 0; c < grid.columns(); c++)
        for (int row = 0; row < grid.ny(); row++) {
            ex(c, row) = -scale * (potential(c + 1, row) - potential(c - 1, row));
            ey(c, row) = -scale * (potential(c, grid.up(row)) - potential(c, grid.down(row)));
        }
    ex.fill_ghosts();
    ey.fill_ghosts();
}

} // namespace plasma
