#include "flow.hpp"

#include "config.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lattice {

namespace {

constexpr std::array<int, 3> to_the_right{1, 5, 8};
constexpr std::array<int, 3> to_the_left{3, 6, 7};

/// What all kinds of collision do: they relax, and add the force.
template <typename Kind> class Colliding : public Flow {
public:
    using Flow::Flow;

protected:
    void collide(Populations &f) const final
    {
        const Moments moments = moments_of(f);
        static_cast<const Kind *>(this)->relax(f, equilibrium(moments));
        for (int i = 1; i < directions; ++i) f[i] += 3 * weight[i] * moments.density * physics().force * step_x[i];
    }
    double relaxation_time() const { return 3 * physics().viscosity + 0.5; }
};

/// One relaxation time (Bhatnagar, Gross, Krook).
class Bgk final : public Colliding<Bgk> {
public:
    using Colliding::Colliding;
    void relax(Populations &f, const Populations &wanted) const
    {
        const double rate = 1 / relaxation_time();
        std::transform(f.begin(), f.end(), wanted.begin(), f.begin(),
                       [rate](double is, double wants) { return is + rate * (wants - is); });
    }
};

/// Two relaxation times, for even and odd parts.
class Trt final : public Colliding<Trt> {
public:
    using Colliding::Colliding;
    void relax(Populations &f, const Populations &wanted) const
    {
        const double even = relaxation_time();
        const double odd = 0.5 + 0.25 / (even - 0.5);
        const Populations before = f;
        for (int i = 0; i < directions; ++i) {
            const int j = opposite[i];
            const double plus = 0.5 * (before[i] + before[j] - wanted[i] - wanted[j]);
            const double minus = 0.5 * (before[i] - before[j] - wanted[i] + wanted[j]);
            f[i] = before[i] - plus / even - minus / odd;
        }
    }
};

} // namespace

Moments moments_of(const Populations &f)
{
    Moments moments;
    moments.density = std::accumulate(f.begin(), f.end(), 0.0);
    for (int i = 1; i < directions; ++i) {
        moments.u += step_x[i] * f[i];
        moments.v += step_y[i] * f[i];
    }
    moments.u /= moments.density;
    moments.v /= moments.density;
    return moments;
}

Populations equilibrium(const Moments &moments)
{
    Populations f;
    const double square = 1.5 * (moments.u * moments.u + moments.v * moments.v);
    for (int i = 0; i < directions; ++i) {
        const double along = 3 * (step_x[i] * moments.u + step_y[i] * moments.v);
        f[i] = weight[i] * moments.density * (1 + along + 0.5 * along * along - square);
    }
    return f;
}

Flow::Flow(const Domain &domain, const Scene &scene, const Physics &physics, std::unique_ptr<Exchange> exchange)
    : domain_(domain), physics_(physics), exchange_(std::move(exchange)), f_(domain), next_(domain), solid_(domain),
      sides_(3 * static_cast<std::size_t>(domain.height))
{
    for (int x = -1; x <= domain_.columns(); ++x) {
        for (int y = 0; y < domain_.height; ++y) {
            const int column = (domain_.first() + x + domain_.width) % domain_.width;
            const bool wall = y == 0 || y == domain_.height - 1;
            solid_(x, y) = wall || scene.is_solid(column, y);
            // A small wave, so that something happens at once.
            Moments moments;
            moments.density = 1 + 0.01 * std::sin(2 * M_PI * column / domain_.width) * std::sin(0.5 * y);
            f_(x, y) = next_(x, y) = equilibrium(moments);
        }
    }
}

void Flow::step()
{
    for (int x = 0; x < domain_.columns(); ++x)
        for (int y = 0; y < domain_.height; ++y)
            if (!solid_(x, y)) collide(f_(x, y));
    exchange_columns();
    move();
    ++steps_;
}

void Flow::exchange_columns()
{
    const auto pack = [this](int x, const std::array<int, 3> &which, std::vector<double> &to) {
        auto at = to.begin();
        for (const Populations &f : f_.column(x))
            for (const int i : which) *at++ = f[i];
    };
    const auto unpack = [this](int x, const std::array<int, 3> &which, const std::vector<double> &from) {
        auto at = from.begin();
        for (Populations &f : f_.column(x))
            for (const int i : which) f[i] = *at++;
    };
    pack(0, to_the_left, sides_.to_left);
    pack(domain_.columns() - 1, to_the_right, sides_.to_right);
    exchange_->run(sides_);
    unpack(-1, to_the_right, sides_.from_left);
    unpack(domain_.columns(), to_the_left, sides_.from_right);
}

void Flow::move()
{
    for (int x = 0; x < domain_.columns(); ++x) {
        for (int y = 0; y < domain_.height; ++y) {
            if (solid_(x, y)) continue;
            Populations &next = next_(x, y);
            for (int i = 0; i < directions; ++i) {
                const int from_x = x - step_x[i], from_y = y - step_y[i];
                // What comes from a solid node has been thrown back there.
                next[i] = solid_(from_x, from_y) ? f_(x, y)[opposite[i]] : f_(from_x, from_y)[i];
            }
        }
    }
    f_.swap(next_);
}

double Flow::mass() const
{
    double mass = 0;
    for (int x = 0; x < domain_.columns(); ++x)
        for (int y = 0; y < domain_.height; ++y)
            if (!solid_(x, y)) mass += at(x, y).density;
    return mass;
}

double Flow::fastest() const
{
    double fastest = 0;
    for (int x = 0; x < domain_.columns(); ++x) {
        for (int y = 0; y < domain_.height; ++y) {
            if (solid_(x, y)) continue;
            const Moments here = at(x, y);
            fastest = std::max(fastest, std::hypot(here.u, here.v));
        }
    }
    return fastest;
}

std::unique_ptr<Flow> make_flow(const std::string &collision, const Domain &domain, const Scene &scene,
                                const Physics &physics, std::unique_ptr<Exchange> exchange)
{
    if (collision == "bgk") return std::make_unique<Bgk>(domain, scene, physics, std::move(exchange));
    if (collision == "trt") return std::make_unique<Trt>(domain, scene, physics, std::move(exchange));
    throw BadInput("no such collision: " + collision);
}

} // namespace lattice
