/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@30", "LOAD@45"], "NPROCS": 2, "DESCRIPTION": "a C++ guard ends the epoch in its destructor; the buffer is used before the guard is gone"} */
/* RAII: a lock epoch as an object (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

class Window {
public:
    Window(std::size_t count)
    {
        MPI_Win_allocate(count * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    }
    ~Window() { MPI_Win_free(&win); }
    Window(const Window &) = delete;
    MPI_Win win;
    double *cells;
};

class Epoch {
public:
    Epoch(Window &window, int target) : window(window), target(target)
    {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window.win);
    }
    ~Epoch() { MPI_Win_unlock(target, window.win); }
    void get(std::vector<double> &into)
    {
        MPI_Get(into.data(), into.size(), MPI_DOUBLE, target, 0, into.size(), MPI_DOUBLE, window.win);
    }

private:
    Window &window;
    int target;
};

static double ask(Window &window)
{
    std::vector<double> values(4);
    double sum = 0;
    Epoch epoch(window, 1);
    epoch.get(values);
    for (unsigned i = 0; i < 4; i++)
        sum += values[i];
    return sum;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        auto window = std::make_unique<Window>(8);
        if (rank == 0)
            std::printf("%f\n", ask(*window));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
