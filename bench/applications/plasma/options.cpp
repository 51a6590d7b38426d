#include "options.hpp"
#include "window.hpp"

#include <functional>
#include <iostream>
#include <map>
#include <sstream>

namespace plasma {
namespace {

template <class T> T read(const std::string &key, const std::string &text, T low, T high) {
    std::istringstream in(text);
    T value{};
    if (!(in >> value) || !in.eof() || value < low || value > high) {
        std::ostringstream why;
        why << "--" << key << ": expected a number from " << low << " to " << high << ", found \"" << text << '"';
        throw Error(why.str());
    }
    return value;
}

Problem read_problem(const std::string &text) {
    static const std::map<std::string, Problem> names = {
        {"langmuir", Problem::Langmuir}, {"two-stream", Problem::TwoStream}, {"thermal", Problem::Thermal}};
    auto found = names.find(text);
    if (found == names.end()) throw Error("--problem: langmuir, two-stream or thermal, not \"" + text + '"');
    return found->second;
}

} // namespace

Options Options::parse(int argc, char **argv) {
    Options o;
    using Setter = std::function<void(const std::string &)>;
    const std::map<std::string, Setter> setters = {
        {"problem", [&](const std::string &t) { o.problem = read_problem(t); }},
        {"nx", [&](const std::string &t) { o.nx = read("nx", t, 4, 1 << 20); }},
        {"ny", [&](const std::string &t) { o.ny = read("ny", t, 1, 1 << 20); }},
        {"per-cell", [&](const std::string &t) { o.per_cell = read("per-cell", t, 1, 10000); }},
        {"steps", [&](const std::string &t) { o.steps = read("steps", t, 0, 100000000); }},
        {"dt", [&](const std::string &t) { o.dt = read("dt", t, 1e-6, 1.0); }},
        {"amplitude", [&](const std::string &t) { o.amplitude = read("amplitude", t, 0.0, 0.5); }},
        {"drift", [&](const std::string &t) { o.drift = read("drift", t, -100.0, 100.0); }},
        {"spread", [&](const std::string &t) { o.spread = read("spread", t, 0.0, 100.0); }},
        {"tolerance", [&](const std::string &t) { o.tolerance = read("tolerance", t, 1e-14, 1e-2); }},
        {"report", [&](const std::string &t) { o.report = read("report", t, 0, 100000000); }},
        {"sort", [&](const std::string &t) { o.sort = read("sort", t, 0, 100000000); }},
        {"room", [&](const std::string &t) { o.room = read("room", t, 0.1, 1000.0); }},
        {"seed", [&](const std::string &t) { o.seed = read<std::uint64_t>("seed", t, 0, 1ULL << 62); }},
        {"history", [&](const std::string &t) { o.history = t; }},
    };
    for (int i = 1; i < argc; i++) {
        std::string word = argv[i];
        if (word == "-h" || word == "--help") {
            o.help = true;
            return o;
        }
        if (word.rfind("--", 0) != 0) throw Error("what is \"" + word + "\"? see --help");
        std::string key = word.substr(2), value;
        auto equals = key.find('=');
        if (equals != std::string::npos) {
            value = key.substr(equals + 1);
            key.resize(equals);
        } else if (i + 1 < argc) {
            value = argv[++i];
        } else {
            throw Error("--" + key + " needs a value");
        }
        auto setter = setters.find(key);
        if (setter == setters.end()) throw Error("no option --" + key + "; see --help");
        setter->second(value);
    }
    return o;
}

void Options::validate(int ranks) const {
    if (nx < 2 * ranks) {
        std::ostringstream why;
        why << "--nx " << nx << " gives " << ranks << " ranks less than two columns each";
        throw Error(why.str());
    }
    double cell = 6.283185307179586 / nx;
    double fastest = (drift < 0 ? -drift : drift) + 6.0 * spread + 1.0;
    if (problem == Problem::Langmuir) fastest -= 6.0 * spread;
    if (fastest * dt > 2.0 * cell) throw Error("particles would cross more than two columns a step: smaller --dt");
    if (problem == Problem::Langmuir && steps * dt > 1000.0) throw Error("too long for a cold plasma");
}

void Options::usage(std::ostream &out) {
    out << "usage: plasma [--problem langmuir|two-stream|thermal] [--nx N] [--ny N] [--per-cell N] [--steps N]\n"
           "              [--dt X] [--amplitude X] [--drift X] [--spread X] [--tolerance X] [--report N] [--sort N]\n"
           "              [--room X] [--seed N] [--history FILE]\n";
}

std::ostream &operator<<(std::ostream &out, const Options &o) {
    static const char *const names[] = {"langmuir", "two-stream", "thermal"};
    return out << names[static_cast<int>(o.problem)] << ", " << o.nx << " x " << o.ny << " cells, " << o.per_cell
               << " particles a cell, " << o.steps << " steps of " << o.dt << ", drift " << o.drift;
}

} // namespace plasma
