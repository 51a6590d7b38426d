// An unstructured mesh of triangles, its partition, and the part of one rank.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace basin {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Point {
    double x = 0.0, y = 0.0;
};

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

constexpr int wall = -1;

// A side of a cell: the cell beyond it (or a wall), and its outward normal times its length.
struct Side {
    int beyond = wall;
    Point normal;
};

struct Cell {
    std::array<int, 3> corners{};
    std::array<Side, 3> sides{};
    Point centre;
    double area = 0.0;
};

struct Mesh {
    std::vector<Point> points;
    std::vector<Cell> cells;

    // A square of n x n boxes, each of two triangles, with inner points moved at random, and cells in random order.
    static Mesh square(int n, double disorder, std::uint64_t seed);
    // Two numbers, points as "x y", triangles as three numbers of points.
    static Mesh read(const std::string &name);

private:
    void connect();
};

enum class Method { Bisection, Growing, Striped };

// The part of each cell.
std::vector<int> partition(const Mesh &mesh, int parts, Method method);
// Sides between cells of different parts.
int cut(const Mesh &mesh, const std::vector<int> &part);

// What one rank has: owned cells first, then copies of the cells beyond them, by part and number.
struct Part {
    int owned = 0;
    std::vector<Cell> cells;   // sides lead to local cells
    std::vector<int> global;   // numbers in the whole mesh
    std::vector<int> part;     // of the ghosts: which part owns them
    std::vector<int> interior; // owned cells without ghosts beside them
    std::vector<int> boundary; // the other owned cells

    int ghosts() const { return static_cast<int>(cells.size()) - owned; }
    static Part extract(const Mesh &mesh, const std::vector<int> &part, int which);
};

} // namespace basin
