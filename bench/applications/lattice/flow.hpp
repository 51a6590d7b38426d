// The flow: populations of nine velocities that collide and move (lattice Boltzmann, D2Q9).
#pragma once

#include "domain.hpp"
#include "exchange.hpp"
#include "shapes.hpp"

#include <array>
#include <memory>
#include <string>

namespace lattice {

constexpr int directions = 9;
constexpr std::array<int, directions> step_x{0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr std::array<int, directions> step_y{0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr std::array<int, directions> opposite{0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr std::array<double, directions> weight{4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                                1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

using Populations = std::array<double, directions>;

/// Density and velocity of a node.
struct Moments {
    double density = 0, u = 0, v = 0;
};

struct Physics {
    double viscosity = 0.05;
    double force = 1e-5;
};

Moments moments_of(const Populations &f);
Populations equilibrium(const Moments &moments);

/// A flow in a part of the channel.
class Flow {
public:
    Flow(const Domain &domain, const Scene &scene, const Physics &physics, std::unique_ptr<Exchange> exchange);
    virtual ~Flow() = default;

    void step();
    double mass() const;
    /// The largest speed.
    double fastest() const;
    Moments at(int x, int y) const { return moments_of(f_(x, y)); }
    bool is_solid(int x, int y) const { return solid_(x, y) != 0; }
    const Domain &domain() const { return domain_; }
    const Exchange &exchange() const { return *exchange_; }
    int steps() const { return steps_; }

protected:
    const Physics &physics() const { return physics_; }
    virtual void collide(Populations &f) const = 0;

private:
    void exchange_columns();
    void move();

    Domain domain_;
    Physics physics_;
    std::unique_ptr<Exchange> exchange_;
    Field<Populations> f_, next_;
    Field<char> solid_;
    Sides sides_;
    int steps_ = 0;
};

/// `bgk` or `trt`.
std::unique_ptr<Flow> make_flow(const std::string &collision, const Domain &domain, const Scene &scene,
                                const Physics &physics, std::unique_ptr<Exchange> exchange);

} // namespace lattice
