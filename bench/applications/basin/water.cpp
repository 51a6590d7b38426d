#include "water.hpp"

#include <algorithm>
#include <cmath>

namespace basin {
namespace {

constexpr double dry = 1e-8;

double bed_at(Problem problem, Point p) {
    if (problem == Problem::Dam) return 0.0;
    const double dx = p.x - 0.3, dy = p.y - 0.4;
    return 0.4 * std::exp(-20.0 * (dx * dx + dy * dy));
}

} // namespace

Water::Water(const std::vector<Cell> &cells, Problem problem, double gravity)
    : cells_(cells), problem_(problem), gravity_(gravity) {
    for (const Cell &c : cells) bed_.push_back(bed_at(problem, c.centre));
}

State Water::initial(int count) const {
    State state(cells_.size());
    for (int i = 0; i < count; i++) {
        const Point p = cell(i).centre;
        double surface = 1.0;
        if (problem_ == Problem::Dam && p.x < 0.5) surface = 2.0;
        if (problem_ == Problem::Drop) {
            const double dx = p.x - 0.7, dy = p.y - 0.6;
            surface += 0.3 * std::exp(-60.0 * (dx * dx + dy * dy));
        }
        state[static_cast<std::size_t>(i)] = {std::max(0.0, surface - bed(i)), 0.0, 0.0};
    }
    return state;
}

std::array<double, fields> Water::flux(const std::array<double, fields> &left,
                                       const std::array<double, fields> &right, Point normal) const {
    const double length = std::hypot(normal.x, normal.y);
    const Point n = (1.0 / length) * normal;
    std::array<double, fields> fl{}, fr{}, out{};
    const auto side = [&](const std::array<double, fields> &u, std::array<double, fields> &f, double &speed,
                          double &wave) {
        const double h = u[0];
        speed = h > dry ? (u[1] * n.x + u[2] * n.y) / h : 0.0;
        wave = std::sqrt(gravity_ * std::max(h, 0.0));
        const double pressure = 0.5 * gravity_ * h * h;
        f = {h * speed, u[1] * speed + pressure * n.x, u[2] * speed + pressure * n.y};
    };
    double ul, ur, cl, cr;
    side(left, fl, ul, cl);
    side(right, fr, ur, cr);
    const double low = std::min({ul - cl, ur - cr, 0.0}), high = std::max({ul + cl, ur + cr, 0.0});
    for (std::size_t k = 0; k < fields; k++) {
        const double middle =
            high - low > 0.0 ? (high * fl[k] - low * fr[k] + low * high * (right[k] - left[k])) / (high - low) : 0.0;
        out[k] = middle * length;
    }
    return out;
}

void Water::rate(const State &state, int i, std::array<double, fields> &out) const {
    const Cell &c = cell(i);
    const auto &u = state[static_cast<std::size_t>(i)];
    out = {};
    for (const Side &side : c.sides) {
        std::array<double, fields> mine = u, other = u;
        double other_bed = bed(i);
        if (side.beyond == wall) {
            const double length = std::hypot(side.normal.x, side.normal.y);
            const Point n = (1.0 / length) * side.normal;
            const double across = u[1] * n.x + u[2] * n.y;
            other[1] -= 2.0 * across * n.x;
            other[2] -= 2.0 * across * n.y;
        } else {
            other = state[static_cast<std::size_t>(side.beyond)];
            other_bed = bed(side.beyond);
        }
        // Depths over the higher bed of the two: water at rest stays at rest.
        const double top = std::max(bed(i), other_bed);
        const auto cut_to = [&](std::array<double, fields> &w, double under) {
            const double depth = std::max(0.0, w[0] + under - top);
            const double scale = w[0] > dry ? depth / w[0] : 0.0;
            w = {depth, w[1] * scale, w[2] * scale};
        };
        cut_to(mine, bed(i));
        cut_to(other, other_bed);
        const std::array<double, fields> f = flux(mine, other, side.normal);
        const double push = 0.5 * gravity_ * (u[0] * u[0] - mine[0] * mine[0]);
        out[0] -= f[0] / c.area;
        out[1] -= (f[1] + push * side.normal.x) / c.area;
        out[2] -= (f[2] + push * side.normal.y) / c.area;
    }
}

double Water::limit(const State &state, int i) const {
    const auto &u = state[static_cast<std::size_t>(i)];
    if (u[0] <= dry) return 1e300;
    double perimeter = 0.0;
    for (const Side &side : cell(i).sides) perimeter += std::hypot(side.normal.x, side.normal.y);
    const double speed = std::hypot(u[1], u[2]) / u[0] + std::sqrt(gravity_ * u[0]);
    return cell(i).area / (perimeter * speed);
}

double Water::energy(const State &state, int i) const {
    const auto &u = state[static_cast<std::size_t>(i)];
    const double kinetic = u[0] > dry ? 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0] : 0.0;
    return cell(i).area * (kinetic + 0.5 * gravity_ * u[0] * u[0] + gravity_ * u[0] * bed(i));
}

} // namespace basin
