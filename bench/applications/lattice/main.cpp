// lattice: flow and dust in a channel with obstacles, by a lattice Boltzmann method.
//
//     lattice [FILE] [key=value ...]
//
// Check: mass is kept; no grain is lost; flow and dust are those of the same steps on one process.

#include "config.hpp"
#include "dust.hpp"
#include "flow.hpp"
#include "observer.hpp"
#include "shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

namespace {

using namespace lattice;

struct Setup {
    int width = 24, height = 12, steps = 12, every = 4, grains = 12;
    bool verify = true;
    std::string exchange = "fence", collision = "bgk";
    std::vector<std::string> observers{"speeds", "profile", "mass"};
    Physics physics;
};

std::vector<std::string> split(const std::string &list)
{
    std::vector<std::string> words;
    std::istringstream stream(list);
    for (std::string word; std::getline(stream, word, ',');)
        if (!trimmed(word).empty()) words.push_back(trimmed(word));
    return words;
}

Setup setup_of(const Config &config)
{
    static const std::set<std::string> keys{"width",  "height",   "steps",     "every",     "grains",   "verify",
                                            "force",  "exchange", "collision", "viscosity", "observers"};
    config.require([](const std::string &key) { return keys.count(key) || key.compare(0, 6, "shape.") == 0; });
    Setup setup;
    setup.width = config.get("width", setup.width);
    setup.height = config.get("height", setup.height);
    setup.steps = config.get("steps", setup.steps);
    setup.every = config.get("every", setup.every);
    setup.grains = config.get("grains", setup.grains);
    setup.verify = config.get("verify", setup.verify);
    setup.exchange = config.get("exchange", setup.exchange);
    setup.collision = config.get("collision", setup.collision);
    setup.physics.viscosity = config.get("viscosity", setup.physics.viscosity);
    setup.physics.force = config.get("force", setup.physics.force);
    if (config.has("observers")) setup.observers = split(config.get("observers", std::string()));
    if (setup.height < 4 || setup.width < 4) throw BadInput("the channel has 4 columns and 4 rows at least");
    if (setup.steps < 0 || setup.every < 1 || setup.grains < 0) throw BadInput("steps, every and grains are counts");
    if (!(setup.physics.viscosity > 0)) throw BadInput("viscosity is positive");
    return setup;
}

Scene scene_of(const Config &config)
{
    Scene scene;
    for (const auto &[key, words] : config.all_of("shape.")) scene.add(make_shape(words));
    return scene;
}

/// The texts of all arguments and files that process 0 has read, for all.
std::string shared_text(std::string text, MPI_Comm comm)
{
    int size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    text.resize(static_cast<std::size_t>(size));
    if (size > 0) MPI_Bcast(text.data(), size, MPI_CHAR, 0, comm);
    return text;
}

Config read_config(int argc, char **argv)
{
    Config config;
    for (int i = 1; i < argc; ++i) {
        if (std::strchr(argv[i], '='))
            config.take(argv[i]);
        else
            config.read_file(argv[i]);
    }
    return config;
}

/// The flow and the dust of the whole channel on one process.
class Reference {
public:
    Reference(const Setup &setup, const Scene &scene)
    {
        Domain whole;
        whole.width = setup.width;
        whole.height = setup.height;
        auto alone = make_exchange("alone", MPI_COMM_SELF, whole, 3 * setup.height);
        flow_ = make_flow(setup.collision, whole, scene, setup.physics, std::move(alone));
        dust_ = std::make_unique<Dust>(MPI_COMM_SELF, *flow_, setup.grains);
        for (int step = 0; step < setup.steps; ++step) {
            flow_->step();
            dust_->step(*flow_);
        }
    }

    double difference(const Flow &flow) const
    {
        double most = 0;
        const Domain &domain = flow.domain();
        for (int x = 0; x < domain.columns(); ++x) {
            for (int y = 0; y < domain.height; ++y) {
                const Moments here = flow.at(x, y), there = flow_->at(domain.first() + x, y);
                most = std::max({most, std::abs(here.u - there.u), std::abs(here.v - there.v),
                                 std::abs(here.density - there.density)});
            }
        }
        return most;
    }

    bool has(const std::vector<Grain> &grains) const
    {
        const auto all = dust_->sorted();
        return std::all_of(grains.begin(), grains.end(), [&](const Grain &grain) {
            const auto before = [](const Grain &one, const Grain &other) { return one.id < other.id; };
            const auto found = std::lower_bound(all.begin(), all.end(), grain, before);
            return found != all.end() && found->id == grain.id && std::abs(found->x - grain.x) < 1e-9 &&
                   std::abs(found->y - grain.y) < 1e-9;
        });
    }

private:
    std::unique_ptr<Flow> flow_;
    std::unique_ptr<Dust> dust_;
};

bool run(const Setup &setup, const Scene &scene, MPI_Comm comm)
{
    Domain domain;
    domain.width = setup.width;
    domain.height = setup.height;
    MPI_Comm_rank(comm, &domain.rank);
    MPI_Comm_size(comm, &domain.ranks);
    if (domain.ranks > domain.width) throw BadInput("more processes than columns");

    auto flow = make_flow(setup.collision, domain, scene, setup.physics,
                          make_exchange(setup.exchange, comm, domain, 3 * setup.height));
    Dust dust(comm, *flow, setup.grains);
    std::vector<std::unique_ptr<Observer>> observers;
    const int looks = setup.steps / setup.every;
    for (const auto &name : setup.observers) observers.push_back(make_observer(name, comm, *flow, looks));

    for (int step = 1; step <= setup.steps; ++step) {
        flow->step();
        dust.step(*flow);
        if (step % setup.every == 0)
            for (const auto &observer : observers) observer->look(*flow);
    }

    bool good = true;
    std::string wrong;
    for (const auto &observer : observers) {
        if (observer->finish(*flow)) continue;
        good = false;
        wrong += " " + observer->name();
    }
    long counts[2] = {static_cast<long>(dust.size()), dust.sent()}, all[2] = {0, 0};
    MPI_Allreduce(counts, all, 2, MPI_LONG, MPI_SUM, comm);
    if (all[0] != setup.grains) {
        good = false;
        wrong += " grains";
    }
    double difference = 0;
    if (setup.verify) {
        const Reference reference(setup, scene);
        double mine = reference.difference(*flow);
        if (!reference.has(dust.sorted())) mine = 1;
        MPI_Allreduce(&mine, &difference, 1, MPI_DOUBLE, MPI_MAX, comm);
        if (!(difference < 1e-12)) {
            good = false;
            wrong += " difference";
        }
    }
    double mine = flow->fastest(), fastest = 0;
    MPI_Reduce(&mine, &fastest, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
    if (domain.rank == 0) {
        std::cout << setup.width << " x " << setup.height << ", " << setup.steps << " steps, " << setup.collision
                  << ", " << flow->exchange().name() << ", obstacles:" << scene.names() << '\n'
                  << "fastest " << fastest << ", " << all[1] << " grains sent, difference " << difference << '\n'
                  << "check: " << (good ? "passed" : "FAILED:" + wrong) << std::endl;
    }
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int rank = 0, status = 0;
    MPI_Comm_rank(comm, &rank);
    try {
        // Only process 0 reads; what it could not read, it says.
        std::string text, why;
        if (rank == 0) {
            try {
                const Config config = read_config(argc, argv);
                for (const auto &[key, value] : config.all_of("")) text += key + "=" + value + "\n";
            } catch (const BadInput &bad) {
                why = bad.what();
            }
        }
        why = shared_text(why, comm);
        if (!why.empty()) throw BadInput(why);
        text = shared_text(text, comm);
        Config config;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) config.take(line);
        const Setup setup = setup_of(config);
        const Scene scene = scene_of(config);
        status = run(setup, scene, comm) ? 0 : 1;
    } catch (const BadInput &bad) {
        if (rank == 0) std::cerr << "lattice: " << bad.what() << std::endl;
        status = 2;
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return status;
}
