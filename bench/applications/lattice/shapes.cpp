#include "shapes.hpp"

#include "config.hpp"

#include <algorithm>
#include <map>
#include <sstream>

namespace lattice {

namespace {

class Disc final : public Shape {
public:
    Disc(double x, double y, double radius) : x_(x), y_(y), radius_(radius) {}
    bool covers(double x, double y) const override
    {
        const double dx = x - x_, dy = y - y_;
        return dx * dx + dy * dy <= radius_ * radius_;
    }
    std::string name() const override { return "disc"; }

private:
    double x_, y_, radius_;
};

class Box final : public Shape {
public:
    Box(double x, double y, double width, double height) : x_(x), y_(y), width_(width), height_(height) {}
    bool covers(double x, double y) const override
    {
        return x >= x_ && x < x_ + width_ && y >= y_ && y < y_ + height_;
    }
    std::string name() const override { return "box"; }

private:
    double x_, y_, width_, height_;
};

/// Teeth of the lower wall.
class Teeth final : public Shape {
public:
    Teeth(double period, double height) : period_(static_cast<int>(period)), height_(height) {}
    bool covers(double x, double y) const override
    {
        const int place = static_cast<int>(x) % period_;
        return 2 * place < period_ && y < height_;
    }
    std::string name() const override { return "teeth"; }

private:
    int period_;
    double height_;
};

} // namespace

bool Scene::is_solid(int x, int y) const
{
    return std::any_of(shapes_.begin(), shapes_.end(),
                       [=](const std::unique_ptr<Shape> &shape) { return shape->covers(x, y); });
}

std::string Scene::names() const
{
    std::map<std::string, int> counts;
    for (const auto &shape : shapes_) ++counts[shape->name()];
    std::ostringstream text;
    for (const auto &[name, count] : counts) text << ' ' << count << ' ' << name;
    return text.str();
}

std::unique_ptr<Shape> make_shape(const std::string &words)
{
    std::istringstream stream(words);
    std::string kind;
    stream >> kind;
    std::vector<double> numbers;
    for (double number; stream >> number;) numbers.push_back(number);
    const auto want = [&](std::size_t count) {
        if (numbers.size() != count) throw BadInput(kind + " takes " + std::to_string(count) + " numbers");
    };
    if (kind == "disc") {
        want(3);
        return std::make_unique<Disc>(numbers[0], numbers[1], numbers[2]);
    }
    if (kind == "box") {
        want(4);
        return std::make_unique<Box>(numbers[0], numbers[1], numbers[2], numbers[3]);
    }
    if (kind == "teeth") {
        want(2);
        if (numbers[0] < 2) throw BadInput("teeth have a period of 2 and more");
        return std::make_unique<Teeth>(numbers[0], numbers[1]);
    }
    throw BadInput("no such shape: " + words);
}

} // namespace lattice
