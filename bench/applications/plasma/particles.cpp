#include "particles.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace plasma {
namespace {

std::size_t capacity(const Grid &grid, const Options &o) {
    const double column = static_cast<double>(o.per_cell) * grid.ny();
    return static_cast<std::size_t>(o.room * column * 4.0) + 16;
}

} // namespace

Particles::Particles(const Grid &grid, const Options &options)
    : grid_(grid), type_({4, 1}, {offsetof(Particle, x), offsetof(Particle, id)}, {MPI_DOUBLE, MPI_INT64_T},
                         sizeof(Particle)),
      outgoing_(static_cast<std::size_t>(grid.ranks())),
      mailbox_(grid.comm(), capacity(grid, options), type_.get(), "arriving particles"),
      weight_(1.0 / options.per_cell) {}

double Particles::wrap(double x, double length) const {
    if (x >= length) x -= length;
    if (x < 0.0) x += length;
    return x >= length ? 0.0 : x; // -tiny + length rounds to length
}

// Particles are laid out evenly, so that the start is quiet; each rank loads its columns.
void Particles::load(const Options &o) {
    const int along = std::max(1, static_cast<int>(std::sqrt(o.per_cell)));
    std::int64_t id = static_cast<std::int64_t>(grid_.first()) * grid_.ny() * o.per_cell;
    list_.clear();
    for (int c = 0; c < grid_.columns(); c++) {
        for (int row = 0; row < grid_.ny(); row++) {
            std::mt19937_64 random(o.seed + static_cast<std::uint64_t>(grid_.first() + c) * 1000003ULL +
                                   static_cast<std::uint64_t>(row));
            std::normal_distribution<double> normal(0.0, 1.0);
            for (int k = 0; k < o.per_cell; k++) {
                Particle p{};
                const int across = (o.per_cell + along - 1) / along;
                const double x0 = (grid_.first() + c + (k % along + 0.5) / along) * grid_.cell();
                p.id = id++;
                p.y = (row + (k / along + 0.5) / across) * grid_.cell();
                p.vx = o.drift;
                p.vy = 0.5 * o.drift;
                switch (o.problem) {
                case Problem::Langmuir: p.x = x0 + o.amplitude * std::sin(x0); break;
                case Problem::TwoStream:
                    p.x = x0 + o.amplitude * std::sin(x0);
                    p.vx += (k % 2 == 0 ? 1.0 : -1.0) * (0.5 + o.spread * 0.1 * normal(random));
                    break;
                case Problem::Thermal:
                    p.x = x0;
                    p.vx += o.spread * normal(random);
                    p.vy += o.spread * normal(random);
                    break;
                }
                p.x = wrap(p.x, grid_.length());
                list_.push_back(p);
            }
        }
    }
    migrate();
}

Particles::Cell Particles::cell_of(const Particle &p) const {
    // Field values stand at cell centres.
    const double x = p.x / grid_.cell() - 0.5, y = p.y / grid_.cell() - 0.5;
    const double column = std::floor(x), row = std::floor(y);
    Cell c{};
    c.column = static_cast<int>(column) - grid_.first();
    c.row = (static_cast<int>(row) + grid_.ny()) % grid_.ny();
    c.up = grid_.up(c.row);
    c.fx = x - column;
    c.fy = y - row;
    return c;
}

// Charge of the electrons over a background of +1.
void Particles::deposit(Field &charge) const {
    charge.clear();
    for (const Particle &p : list_) {
        const Cell c = cell_of(p);
        charge(c.column, c.row) -= weight_ * (1.0 - c.fx) * (1.0 - c.fy);
        charge(c.column + 1, c.row) -= weight_ * c.fx * (1.0 - c.fy);
        charge(c.column, c.up) -= weight_ * (1.0 - c.fx) * c.fy;
        charge(c.column + 1, c.up) -= weight_ * c.fx * c.fy;
    }
    charge.fold_ghosts();
    for (int c = 0; c < grid_.columns(); c++)
        for (int row = 0; row < grid_.ny(); row++) charge(c, row) += 1.0;
}

void Particles::kick(const Field &ex, const Field &ey, double dt) {
    for (Particle &p : list_) {
        const Cell c = cell_of(p);
        const double a = (1.0 - c.fx) * (1.0 - c.fy), b = c.fx * (1.0 - c.fy), d = (1.0 - c.fx) * c.fy,
                     e = c.fx * c.fy;
        const int next = c.column + 1;
        p.vx -= dt * (a * ex(c.column, c.row) + b * ex(next, c.row) + d * ex(c.column, c.up) + e * ex(next, c.up));
        p.vy -= dt * (a * ey(c.column, c.row) + b * ey(next, c.row) + d * ey(c.column, c.up) + e * ey(next, c.up));
    }
}

void Particles::drift(double dt) {
    for (Particle &p : list_) {
        p.x = wrap(p.x + dt * p.vx, grid_.length());
        p.y = wrap(p.y + dt * p.vy, grid_.height());
        if (p.y < 0.0 || p.y >= grid_.height()) throw Error("a particle crossed the domain in a step: smaller --dt");
    }
}

std::size_t Particles::migrate() {
    for (auto &one : outgoing_) one.clear();
    auto keep = list_.begin();
    for (const Particle &p : list_) {
        const int column = std::min(static_cast<int>(p.x / grid_.cell()), grid_.nx() - 1);
        const int owner = grid_.owner(column);
        if (owner == grid_.rank())
            *keep++ = p;
        else
            outgoing_[static_cast<std::size_t>(owner)].push_back(p);
    }
    list_.erase(keep, list_.end());
    std::size_t left = 0;
    for (int i = 1; i < grid_.ranks(); i++) {
        const int target = (grid_.rank() + i) % grid_.ranks();
        const auto &items = outgoing_[static_cast<std::size_t>(target)];
        left += items.size();
        mailbox_.send(items, target);
    }
    mailbox_.finish(list_);
    return left;
}

// By cell, so that deposits walk through memory in order.
void Particles::sort() {
    std::sort(list_.begin(), list_.end(), [this](const Particle &a, const Particle &b) {
        const int ca = static_cast<int>(a.x / grid_.cell()), cb = static_cast<int>(b.x / grid_.cell());
        if (ca != cb) return ca < cb;
        const int ra = static_cast<int>(a.y / grid_.cell()), rb = static_cast<int>(b.y / grid_.cell());
        return ra != rb ? ra < rb : a.id < b.id;
    });
}

Moments Particles::moments() const {
    Moments m;
    for (const Particle &p : list_) {
        m.ids += p.id;
        m.px += weight_ * p.vx;
        m.py += weight_ * p.vy;
        m.kinetic += 0.5 * weight_ * (p.vx * p.vx + p.vy * p.vy);
    }
    m.count = sum(grid_.comm(), static_cast<std::int64_t>(list_.size()));
    m.ids = sum(grid_.comm(), m.ids);
    m.px = sum(grid_.comm(), m.px);
    m.py = sum(grid_.comm(), m.py);
    m.kinetic = sum(grid_.comm(), m.kinetic);
    return m;
}

std::int64_t Particles::misplaced() const {
    std::int64_t wrong = 0;
    for (const Particle &p : list_) {
        const int column = static_cast<int>(p.x / grid_.cell()) - grid_.first();
        if (column < 0 || column >= grid_.columns()) wrong++;
    }
    return sum(grid_.comm(), wrong);
}

} // namespace plasma
