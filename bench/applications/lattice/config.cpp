#include "config.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace lattice {

std::string trimmed(const std::string &text)
{
    const auto blank = [](unsigned char letter) { return std::isspace(letter) != 0; };
    const auto first = std::find_if_not(text.begin(), text.end(), blank);
    const auto last = std::find_if_not(text.rbegin(), std::string::const_reverse_iterator(first), blank).base();
    return std::string(first, last);
}

void Config::read_file(const std::string &path)
{
    std::ifstream file(path);
    if (!file) throw BadInput("cannot read " + path);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        if (line.find('=') == std::string::npos)
            throw BadInput(path + ", line " + std::to_string(number) + ": no `key = value`");
        take(line);
    }
}

void Config::take(const std::string &word)
{
    const auto sign = word.find('=');
    if (sign == std::string::npos) throw BadInput("`" + word + "` is not key=value");
    const auto key = trimmed(word.substr(0, sign));
    if (key.empty()) throw BadInput("`" + word + "` has no key");
    values_[key] = trimmed(word.substr(sign + 1));
}

template <typename T> T Config::convert(const std::string &key, const std::string &text)
{
    std::istringstream stream(text);
    T value{};
    stream >> value;
    if (!stream) throw BadInput(key + ": `" + text + "` is no such value");
    char rest = 0;
    if (stream >> rest) throw BadInput(key + ": what is `" + text.substr(text.find(rest)) + "`?");
    return value;
}

template <> bool Config::convert<bool>(const std::string &key, const std::string &text)
{
    if (text == "yes" || text == "on" || text == "true" || text == "1") return true;
    if (text == "no" || text == "off" || text == "false" || text == "0") return false;
    throw BadInput(key + ": yes or no, not `" + text + "`");
}

template <> std::string Config::convert<std::string>(const std::string &, const std::string &text)
{
    return text;
}

template int Config::convert<int>(const std::string &, const std::string &);
template double Config::convert<double>(const std::string &, const std::string &);

std::vector<std::pair<std::string, std::string>> Config::all_of(const std::string &begin) const
{
    std::vector<std::pair<std::string, std::string>> found;
    for (auto at = values_.lower_bound(begin); at != values_.end(); ++at) {
        if (at->first.compare(0, begin.size(), begin) != 0) break;
        found.push_back(*at);
    }
    return found;
}

void Config::require(const std::function<bool(const std::string &)> &known) const
{
    std::vector<std::string> unknown;
    for (const auto &[key, value] : values_)
        if (!known(key)) unknown.push_back(key);
    if (unknown.empty()) return;
    std::string all;
    for (const auto &key : unknown) all += " " + key;
    throw BadInput("unknown:" + all);
}

} // namespace lattice
