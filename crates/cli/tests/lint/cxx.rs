//! What libstdc++ keeps in its library, several sources with objects of their own, and texts that C++ reads.
//!
//! Each program works out a number in a way that one part of the library decides, and races if it is not the number
//! that the test names. So a wrong number is a finding, and an unknown one a possible finding or a call that is named.

use super::{FLUSH, MPI, body, expect, folder, lint_in, said};

/// A program in which `count` works out a number, which is to be `wanted`.
fn program(count: &str, wanted: i64) -> String {
    format!(
        "extern \"C\" {{ {MPI} }}
#include <fstream>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
{count}
int main(int argc, char **argv) {{ MPI_Init(&argc, &argv);
const bool good = count() == {wanted};
{}
MPI_Finalize(); return 0; }}",
        body(&format!("if (good) {FLUSH}"))
    )
}

/// The number is worked out, and with certainty: all that is called is known, and another number races.
#[track_caller]
fn expect_number(count: &str, wanted: i64, arguments: &[&str], files: &[(&str, &str)]) {
    let (right, wrong) = (program(count, wanted), program(count, wanted + 1));
    let sources = [("right.cpp", right.as_str()), ("wrong.cpp", wrong.as_str())];
    let folder = folder(&[&sources, files].concat());
    for (source, status) in [("right.cpp", 0), ("wrong.cpp", 1)] {
        let output = lint_in(folder.path(), &[&["--paths", "1", source], arguments].concat());
        expect(&output, status, &[]);
        for shortfall in ["unknown-call", "loop-cut"] {
            assert!(!said(&output).contains(shortfall), "{}", said(&output));
        }
    }
}

#[test]
fn numbers_become_texts() {
    expect_number(
        "static long count() { return std::to_string(2.5).size() + 100 * (std::to_string(42) + std::to_string(7L)).size(); }",
        308,
        &[],
        &[],
    );
}

#[test]
fn threads_make_texts() {
    let count = "#include <thread>
static long count() { std::string text; std::thread other([&] { text = \"a text that lies apart, \" + std::to_string(1.5); });
other.join(); return text.size(); }";
    expect_number(count, 32, &[], &[]);
}

#[test]
fn maps_and_sets_hold_what_the_program_puts_in_in_its_order() {
    // 101 % 7 == 3: the keys come as 0 3 6 2 5 1 4, and go in the order of their names.
    let map = "static long count() {
  std::map<std::string, int> numbers;
  for (int i = 0; i < 7; i++) numbers[std::string(1, 'a' + 3 * i % 7)] = i;
  numbers.erase(\"c\");
  long order = 0;
  for (const auto &entry : numbers) order = 10 * order + entry.second;
  return order;
}";
    expect_number(map, 51_642, &[], &[]);
    let set = "static long count() {
  std::set<int> numbers;
  for (int i = 0; i < 40; i++) numbers.insert(7 * i % 11);
  numbers.erase(numbers.find(4));
  long order = 0;
  for (auto at = numbers.rbegin(); at != numbers.rend(); ++at) if (*at < 7) order = 10 * order + *at;
  return 100 * order + numbers.size();
}";
    expect_number(set, 65_321_010, &[], &[]);
}

#[test]
fn lists_and_unordered_maps_hold_what_the_program_puts_in() {
    let list = "static long count() {
  std::list<int> one{1, 2, 3}, other{4, 5};
  one.splice(++one.begin(), other);
  one.remove(2);
  one.push_front(9);
  one.reverse();
  one.sort();
  one.reverse();
  long order = 0;
  for (int value : one) order = 10 * order + value;
  return 10 * order + other.size();
}";
    expect_number(list, 954_310, &[], &[]);
    let map = "static long count() {
  std::unordered_map<std::string, long> numbers;
  for (int i = 0; i < 30; i++) numbers[\"key\" + std::to_string(i % 13)] += i;
  long sum = 0;
  for (const auto &entry : numbers) sum += entry.second;
  return 1000 * sum + 10 * numbers.size() + numbers.count(\"key12\") + numbers.count(\"key13\");
}";
    expect_number(map, 435_131, &[], &[]);
}

#[test]
fn streams_read_texts_of_the_program() {
    let words = "static long count() {
  std::istringstream line(\"12 -3 2.5 word,rest of it\");
  int a = 0, b = 0; double c = 0; std::string word, rest; char comma = 0;
  line >> a >> b >> c;
  std::getline(line >> std::ws, word, ',');
  line >> rest;
  const bool more = bool(line >> word >> rest);
  return !more ? -1 : line >> comma ? -2 : long(1000 * a + 100 * b + 10 * c) + long(rest.size());
}";
    let words = words.replace(" >> std::ws", "");
    expect_number(&words, 11_727, &[], &[]);
    let deck = "static long count() {
  std::ifstream deck(\"deck\");
  if (!deck) return -1;
  long sum = 0; std::string line;
  while (std::getline(deck, line)) {
    std::istringstream words(line);
    std::string key; long value;
    if (words >> key >> value && key == \"add\") sum += value;
  }
  for (int value; std::cin >> value;) sum *= value;
  return sum;
}";
    let files = [
        ("deck.in", "add 3\ndrop 5\nadd four\nadd 6\n"),
        ("numbers", "2 5\n"),
    ];
    let given = ["--file", "deck=deck.in", "--stdin", "numbers"];
    expect_number(deck, 90, &given, &files);
}

/// Objects of each source are constructed, not those of the first alone.
#[test]
fn constructors_of_all_sources_run() {
    let names = "#include <map>
#include <string>
std::map<std::string, int> &all() { static std::map<std::string, int> known; return known; }
struct Adds { Adds(const char *name, int value) { all()[name] = value; } };
static Adds one(\"one\", 3);";
    let others = "#include <map>
#include <string>
std::map<std::string, int> &all();
struct Adds { Adds(const char *name, int value) { all()[name] = value; } };
static Adds two(\"two\", 5);
static const std::map<int, int> squares{{2, 4}, {3, 9}};
int square(int of) { return squares.at(of); }";
    let count = "std::map<std::string, int> &all(); int square(int of);
static long count() {
  long sum = 0;
  for (const auto &entry : all()) sum += entry.second;
  return 10 * sum + square(3);
}";
    let (right, wrong) = (program(count, 89), program(count, 90));
    let folder = folder(&[
        ("names.cpp", names),
        ("others.cpp", others),
        ("right.cpp", &right),
        ("wrong.cpp", &wrong),
    ]);
    for (main, status) in [("right.cpp", 0), ("wrong.cpp", 1)] {
        let sources = ["--paths", "1", "names.cpp", main, "others.cpp"];
        expect(&lint_in(folder.path(), &sources), status, &[]);
    }
}

#[test]
fn a_part_of_an_object_is_cast_to_another() {
    let count = "struct A { int a = 1; virtual ~A() {} }; struct B { int b = 2; virtual ~B() {} };
struct C : A, B { int c = 3; }; struct V : virtual B { int v = 4; }; struct W : V { int w = 5; };
static long count() { C c; W w; A *a = &c; B *b = &c; B *e = &w; A alone; A *none = &alone;
  return (dynamic_cast<C *>(b) == &c) + 10 * dynamic_cast<B *>(a)->b + 100 * (dynamic_cast<C *>(none) == nullptr)
    + 1000 * dynamic_cast<W *>(e)->w + 10000 * dynamic_cast<V *>(e)->v; }";
    expect_number(count, 45_121, &[], &[]);
}
