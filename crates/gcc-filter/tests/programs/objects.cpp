// What is C++ about loops: references, exceptions, constructors, vectors of structures, iterators; and OpenMP.
extern "C" {
#include "recorder.h"
}

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <numeric>
#include <vector>

#define KERNEL __attribute__((noinline)) static

struct Cell {
    double value;
    int flags : 5;
    int count : 27;
    virtual ~Cell() {}
    Cell(double value) : value(value), flags(3), count(0) {}
};

static double *doubles() {
    char *volatile start = arena;
    return reinterpret_cast<double *>(start);
}

KERNEL void construct(int n) {
    char *volatile start = arena + 8192;
    auto *cells = reinterpret_cast<Cell *>(start);
    for (int i = 0; i < n; i++)
        new (cells + i) Cell(i);
    synchronise();
    for (int i = 0; i < n; i++) {
        cells[i].count += i;
        cells[i].flags = 1;
    }
    synchronise();
    for (int i = n; i-- > 0;)
        cells[i].flags ^= 2;
}

__attribute__((noinline)) static void may_throw(int i, int last) {
    if (i == last)
        throw i;
}

KERNEL void exceptions(int n) {
    double *d = doubles();
    try {
        for (int i = 0; i < n + 10; i++) {
            d[i] += 1;
            may_throw(i, n);
            d[3000 + i] += 2;
        }
    } catch (int found) {
        d[9000 + found] += 3;
    }
}

KERNEL void ranges(int n) {
    double *d = doubles();
    std::vector<double> own(n + 1, 2.0);
    std::transform(d, d + n, own.begin(), d, [](double a, double b) { return a + b; });
    std::reverse(d + 5000, d + 5000 + n);
    std::map<int, double *> places;
    for (int i = 0; i < n; i += 3)
        places[i] = d + 700 + i;
    for (auto &[key, place] : places)
        *place += key;
    synchronise();
    std::vector<int *> rows;
    int *ints = reinterpret_cast<int *>(d);
    for (int i = 0; i < 20; i++)
        rows.push_back(ints + 16384 + 100 * i);
    for (auto *row : rows)
        for (int j = 0; j < n % 100; j++)
            row[j]++;
    synchronise();
    long sum = std::accumulate(ints, ints + n, 0L);
    d[20000] += double(sum);
}

KERNEL void pairs(int n) {
    struct Pair {
        long first, second; // No gap, which an optimiser does not copy.
    };
    auto *all = reinterpret_cast<Pair *>(doubles());
    for (int i = 0; i + 1 < n; i++) {
        Pair copy = all[i];
        copy.second++;
        all[i + 1] = copy;
    }
}

KERNEL void parallel(int n) {
    double *d = doubles();
#pragma omp parallel for num_threads(1) schedule(dynamic, 7)
    for (int i = 0; i < n; i++)
        d[i] += i;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += d[i * 2 + 9000];
    d[30000] += sum;
}

/// Atomic operations order threads: nothing may be announced across them.
KERNEL void atomics(int n) {
    auto *counts = reinterpret_cast<int *>(doubles());
    for (int i = 0; i < n; i++) {
        counts[i] += 1;
        if (i % 16 == 0)
            synchronise();
    }
}

int main(int argc, char **argv) {
    int n = argc > 3 ? std::atoi(argv[3]) : 0;
    watch(std::atoi(argv[1]), std::atoi(argv[2]));
    construct(std::min(n, 300));
    synchronise();
    exceptions(n);
    synchronise();
    ranges(n);
    synchronise();
    pairs(n);
    synchronise();
    parallel(n);
    synchronise();
    atomics(n);
    synchronise();
    return 0;
}
