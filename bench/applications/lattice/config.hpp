// What can be set: a file of lines `key = value`, then words `key=value` of the command line.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lattice {

/// What is wrong with the input, for the user.
class BadInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Keys with their values as texts.
class Config {
public:
    /// Reads a file; later keys win.
    void read_file(const std::string &path);
    /// Takes one word `key=value`.
    void take(const std::string &word);

    bool has(const std::string &key) const { return values_.count(key) != 0; }

    /// The value of a key, or another one if it is not set.
    template <typename T> T get(const std::string &key, T otherwise) const
    {
        const auto found = values_.find(key);
        if (found == values_.end()) return otherwise;
        return convert<T>(key, found->second);
    }

    /// All values of keys with this begin, in the order of the keys.
    std::vector<std::pair<std::string, std::string>> all_of(const std::string &begin) const;

    /// Throws if there is a key for which this says no.
    void require(const std::function<bool(const std::string &)> &known) const;

private:
    template <typename T> static T convert(const std::string &key, const std::string &text);

    std::map<std::string, std::string> values_;
};

/// Text without blanks at both ends.
std::string trimmed(const std::string &text);

} // namespace lattice
