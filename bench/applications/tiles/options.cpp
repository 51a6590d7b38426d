#include "options.hpp"

#include <set>
#include <vector>

namespace tiles {

namespace {
const std::set<std::string> with_value = {"size", "tile", "iterations", "tolerance", "fetch", "cache", "order"};
const std::set<std::string> flags = {"help", "symmetric", "verify"};
} // namespace

Options::Options(int argc, char **argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    for (std::size_t i = 0; i < words.size(); i++) {
        const std::string &word = words[i];
        if (word.compare(0, 2, "--") != 0) throw UsageError("not an option: " + word);
        std::string name = word.substr(2), value;
        const auto equals = name.find('=');
        const bool has_value = equals != std::string::npos;
        if (has_value) {
            value = name.substr(equals + 1);
            name.erase(equals);
        }
        if (flags.count(name) != 0) {
            if (has_value) throw UsageError("--" + name + " takes no value");
            given_[name] = "yes";
        } else if (with_value.count(name) != 0) {
            if (!has_value) {
                if (i + 1 == words.size()) throw UsageError("--" + name + " wants a value");
                value = words[++i];
            }
            given_[name] = value;
        } else {
            throw UsageError("unknown option --" + name);
        }
    }
}

int Options::number(const std::string &name, int otherwise) const {
    const auto found = given_.find(name);
    if (found == given_.end()) return otherwise;
    std::size_t read = 0;
    int value = 0;
    try {
        value = std::stoi(found->second, &read);
    } catch (const std::exception &) {
        throw UsageError("--" + name + " wants a number");
    }
    if (read != found->second.size() || value < 1) throw UsageError("--" + name + " wants a positive number");
    return value;
}

double Options::real(const std::string &name, double otherwise) const {
    const auto found = given_.find(name);
    if (found == given_.end()) return otherwise;
    try {
        return std::stod(found->second);
    } catch (const std::exception &) {
        throw UsageError("--" + name + " wants a number");
    }
}

std::string Options::text(const std::string &name, const std::string &otherwise) const {
    const auto found = given_.find(name);
    return found == given_.end() ? otherwise : found->second;
}

bool Options::flag(const std::string &name) const { return given_.count(name) != 0; }

std::string usage() {
    return "usage: tiles [--size=N] [--tile=N] [--iterations=N] [--tolerance=X] [--fetch=get|rget|accumulate]\n"
           "             [--cache=N] [--order=rows|columns] [--symmetric] [--verify] [--help]\n";
}

} // namespace tiles
