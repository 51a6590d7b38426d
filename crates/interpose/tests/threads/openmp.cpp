// Tasks carry copies of C++ objects, aligned as they must be; reductions of all kinds come out right.
// EXPECT: 1|1 2<3
#include "mark.h"
#include <cstdint>
#include <cstdlib>
#include <omp.h>
#include <string>
#include <vector>

struct Aligned {
    std::vector<int> values;
    alignas(64) char padding[64];
    Aligned() : values(10, 3) {}
};

static void check(const Aligned &aligned, const std::string &text)
{
    if (reinterpret_cast<std::uintptr_t>(&aligned) % 64 != 0 || aligned.values[9] != 3 || text.size() != 40)
        std::abort();
}

int main()
{
    begin();
    Aligned aligned;
    std::string text(40, 'x');

    int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(aligned, text, i) shared(sum)
        {
            check(aligned, text);
#pragma omp atomic
            sum += i;
        }
#pragma omp task firstprivate(aligned, text, i) if (0)
        check(aligned, text);
    }
    if (sum != 190)
        std::abort();

    int of_loop = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskloop firstprivate(aligned, text) reduction(+ : of_loop)
        for (long i = 0; i < 100; i++) {
            check(aligned, text);
            of_loop += i;
        }
    }
    if (of_loop != 4950)
        std::abort();

    int of_tasks = 0;
#pragma omp parallel num_threads(2) reduction(task, + : of_tasks)
    {
#pragma omp task in_reduction(+ : of_tasks)
        of_tasks += 1;
    }
    if (of_tasks != 2)
        std::abort();

    int collapsed = 0;
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : collapsed) num_threads(2)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            collapsed += j;
    if (collapsed != 450)
        std::abort();

#pragma omp parallel num_threads(2)
    {
        mark(1);
        mark(2);
    }
    mark(3);
    end();
}
