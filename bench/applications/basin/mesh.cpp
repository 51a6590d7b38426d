#include "mesh.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace basin {

Mesh Mesh::square(int n, double disorder, std::uint64_t seed) {
    Mesh mesh;
    std::mt19937_64 random(seed);
    auto shift = [&]() { return disorder * (static_cast<double>(random() >> 11) / 9007199254740992.0 - 0.5) / n; };
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            Point p{static_cast<double>(i) / n, static_cast<double>(j) / n};
            if (i > 0 && i < n && j > 0 && j < n) {
                p.x += shift();
                p.y += shift();
            }
            mesh.points.push_back(p);
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
            Cell one, two;
            if ((i + j) % 2 == 0) {
                one.corners = {a, b, d};
                two.corners = {a, d, c};
            } else {
                one.corners = {a, b, c};
                two.corners = {b, d, c};
            }
            mesh.cells.push_back(one);
            mesh.cells.push_back(two);
        }
    for (std::size_t i = mesh.cells.size(); i > 1; i--) std::swap(mesh.cells[i - 1], mesh.cells[random() % i]);
    mesh.connect();
    return mesh;
}

Mesh Mesh::read(const std::string &name) {
    std::ifstream in(name);
    if (!in) throw Error("cannot read " + name);
    std::size_t points = 0, cells = 0;
    if (!(in >> points >> cells) || points < 3 || cells < 1 || points > 100000000 || cells > 100000000)
        throw Error(name + " does not begin with the numbers of points and cells");
    Mesh mesh;
    mesh.points.resize(points);
    mesh.cells.resize(cells);
    for (Point &p : mesh.points)
        if (!(in >> p.x >> p.y)) throw Error(name + ": points are missing");
    for (Cell &c : mesh.cells)
        for (int &corner : c.corners)
            if (!(in >> corner) || corner < 0 || static_cast<std::size_t>(corner) >= points)
                throw Error(name + ": a triangle has no such point");
    mesh.connect();
    return mesh;
}

// Centres, areas, and what lies beyond each side.
void Mesh::connect() {
    std::map<std::pair<int, int>, std::pair<int, int>> open; // side by its points: cell and number of the side
    for (std::size_t i = 0; i < cells.size(); i++) {
        Cell &c = cells[i];
        const auto at = [&](int k) { return points[static_cast<std::size_t>(c.corners[static_cast<std::size_t>(k)])]; };
        c.area = 0.5 * cross(at(1) - at(0), at(2) - at(0));
        if (c.area < 0.0) {
            std::swap(c.corners[1], c.corners[2]);
            c.area = -c.area;
        }
        if (c.area == 0.0) throw Error("a triangle has no area");
        c.centre = (1.0 / 3.0) * (at(0) + at(1) + at(2));
        for (int k = 0; k < 3; k++) {
            const Point along = at((k + 1) % 3) - at(k);
            const int a = c.corners[static_cast<std::size_t>(k)], b = c.corners[static_cast<std::size_t>((k + 1) % 3)];
            Side &side = c.sides[static_cast<std::size_t>(k)];
            side.normal = {along.y, -along.x};
            const auto key = std::minmax(a, b);
            auto found = open.find(key);
            if (found == open.end()) {
                open[key] = {static_cast<int>(i), k};
                continue;
            }
            const auto [other, number] = found->second;
            side.beyond = other;
            cells[static_cast<std::size_t>(other)].sides[static_cast<std::size_t>(number)].beyond = static_cast<int>(i);
            open.erase(found);
        }
    }
}

namespace {

void bisect(const Mesh &mesh, std::vector<int>::iterator begin, std::vector<int>::iterator end, int first, int parts,
            std::vector<int> &part) {
    if (parts == 1) {
        for (auto i = begin; i != end; ++i) part[static_cast<std::size_t>(*i)] = first;
        return;
    }
    Point low{1e300, 1e300}, high{-1e300, -1e300};
    for (auto i = begin; i != end; ++i) {
        const Point c = mesh.cells[static_cast<std::size_t>(*i)].centre;
        low = {std::min(low.x, c.x), std::min(low.y, c.y)};
        high = {std::max(high.x, c.x), std::max(high.y, c.y)};
    }
    const bool wide = high.x - low.x >= high.y - low.y;
    const int left = parts / 2;
    const auto middle = begin + (end - begin) * left / parts;
    std::nth_element(begin, middle, end, [&](int a, int b) {
        const Point p = mesh.cells[static_cast<std::size_t>(a)].centre;
        const Point q = mesh.cells[static_cast<std::size_t>(b)].centre;
        const double u = wide ? p.x : p.y, v = wide ? q.x : q.y;
        return u != v ? u < v : a < b;
    });
    bisect(mesh, begin, middle, first, left, part);
    bisect(mesh, middle, end, first + left, parts - left, part);
}

// Parts grow from a cell to its neighbours until they are full.
void grow(const Mesh &mesh, int parts, std::vector<int> &part) {
    const std::size_t n = mesh.cells.size();
    std::fill(part.begin(), part.end(), -1);
    std::size_t taken = 0;
    for (int p = 0; p < parts; p++) {
        const std::size_t target = n * static_cast<std::size_t>(p + 1) / static_cast<std::size_t>(parts);
        std::deque<int> front;
        while (taken < target) {
            if (front.empty()) {
                const auto free = std::find(part.begin(), part.end(), -1);
                front.push_back(static_cast<int>(free - part.begin()));
            }
            const int cell = front.front();
            front.pop_front();
            if (part[static_cast<std::size_t>(cell)] != -1) continue;
            part[static_cast<std::size_t>(cell)] = p;
            taken++;
            for (const Side &side : mesh.cells[static_cast<std::size_t>(cell)].sides)
                if (side.beyond != wall && part[static_cast<std::size_t>(side.beyond)] == -1)
                    front.push_back(side.beyond);
        }
    }
}

} // namespace

std::vector<int> partition(const Mesh &mesh, int parts, Method method) {
    const std::size_t n = mesh.cells.size();
    if (n < static_cast<std::size_t>(parts)) throw Error("fewer cells than ranks");
    std::vector<int> part(n, 0), order(n);
    std::iota(order.begin(), order.end(), 0);
    switch (method) {
    case Method::Bisection: bisect(mesh, order.begin(), order.end(), 0, parts, part); break;
    case Method::Growing: grow(mesh, parts, part); break;
    case Method::Striped:
        for (std::size_t i = 0; i < n; i++) part[i] = static_cast<int>(i * static_cast<std::size_t>(parts) / n);
        break;
    }
    return part;
}

int cut(const Mesh &mesh, const std::vector<int> &part) {
    int sides = 0;
    for (std::size_t i = 0; i < mesh.cells.size(); i++)
        for (const Side &side : mesh.cells[i].sides)
            if (side.beyond > static_cast<int>(i) && part[i] != part[static_cast<std::size_t>(side.beyond)]) sides++;
    return sides;
}

Part Part::extract(const Mesh &mesh, const std::vector<int> &part, int which) {
    Part out;
    std::map<int, int> local;
    std::set<std::pair<int, int>> beyond; // part, cell
    for (std::size_t i = 0; i < mesh.cells.size(); i++) {
        if (part[i] != which) continue;
        local[static_cast<int>(i)] = static_cast<int>(out.global.size());
        out.global.push_back(static_cast<int>(i));
        for (const Side &side : mesh.cells[i].sides)
            if (side.beyond != wall && part[static_cast<std::size_t>(side.beyond)] != which)
                beyond.insert({part[static_cast<std::size_t>(side.beyond)], side.beyond});
    }
    out.owned = static_cast<int>(out.global.size());
    for (const auto &[owner, cell] : beyond) {
        local[cell] = static_cast<int>(out.global.size());
        out.global.push_back(cell);
        out.part.push_back(owner);
    }
    for (const int cell : out.global) {
        out.cells.push_back(mesh.cells[static_cast<std::size_t>(cell)]);
        for (Side &side : out.cells.back().sides) {
            const auto found = local.find(side.beyond);
            side.beyond = found == local.end() ? wall : found->second;
        }
    }
    for (int i = 0; i < out.owned; i++) {
        const auto &sides = out.cells[static_cast<std::size_t>(i)].sides;
        const bool edge = std::any_of(sides.begin(), sides.end(), [&](const Side &s) { return s.beyond >= out.owned; });
        (edge ? out.boundary : out.interior).push_back(i);
    }
    return out;
}

} // namespace basin
