// Obstacles in the channel.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace lattice {

class Shape {
public:
    virtual ~Shape() = default;
    virtual bool covers(double x, double y) const = 0;
    virtual std::string name() const = 0;
};

/// All shapes together.
class Scene {
public:
    void add(std::unique_ptr<Shape> shape) { shapes_.push_back(std::move(shape)); }
    bool is_solid(int x, int y) const;
    std::string names() const;
    std::size_t size() const { return shapes_.size(); }

private:
    std::vector<std::unique_ptr<Shape>> shapes_;
};

/// A shape by its words: `disc X Y RADIUS`, `box X Y WIDTH HEIGHT`, `teeth PERIOD HEIGHT`.
std::unique_ptr<Shape> make_shape(const std::string &words);

} // namespace lattice
