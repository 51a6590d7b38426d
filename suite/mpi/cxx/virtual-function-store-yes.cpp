/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@40", "STORE@20"], "NPROCS": 2, "DESCRIPTION": "a virtual function stores to the window while a put is under way"} */
/* Which function stores is known at run time only; it runs before the closing fence (MPI-4.1
   12.7). */
#include <mpi.h>
#include <cstdio>
#include <memory>

struct Rule {
    virtual ~Rule() = default;
    virtual void apply(int *cells) const = 0;
};

struct Keep : Rule {
    void apply(int *) const override {}
};

struct Reset : Rule {
    void apply(int *cells) const override
    {
        cells[3] = 0;
    }
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, value = 5;
    std::unique_ptr<Rule> rule;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    if (rank == 1)
        rule = std::make_unique<Reset>();
    else
        rule = std::make_unique<Keep>();

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    rule->apply(cells);
    MPI_Win_fence(0, win);

    std::printf("rank %d done\n", rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
