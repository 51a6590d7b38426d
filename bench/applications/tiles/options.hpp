#pragma once

#include <map>
#include <stdexcept>
#include <string>

namespace tiles {

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What is read of words `--name=value`, `--name value` and `--flag`.
class Options {
public:
    Options(int argc, char **argv);

    int number(const std::string &name, int otherwise) const;
    double real(const std::string &name, double otherwise) const;
    std::string text(const std::string &name, const std::string &otherwise) const;
    bool flag(const std::string &name) const;

private:
    std::map<std::string, std::string> given_;
};

std::string usage();

} // namespace tiles
