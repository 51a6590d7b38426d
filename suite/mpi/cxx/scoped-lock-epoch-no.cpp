/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the epoch is an object: the get's buffer is read after its scope"} */
/* The destructor has unlocked and so completed the get (MPI-4.1 12.5.3). */
#include <mpi.h>
#include <cstdio>

class LockedEpoch {
public:
    LockedEpoch(int target, MPI_Win win) : target_(target), win_(win)
    {
        MPI_Win_lock(MPI_LOCK_SHARED, target_, 0, win_);
    }
    ~LockedEpoch()
    {
        MPI_Win_unlock(target_, win_);
    }
    LockedEpoch(const LockedEpoch &) = delete;
    LockedEpoch &operator=(const LockedEpoch &) = delete;

    void get(int *buffer, MPI_Aint where) const
    {
        MPI_Get(buffer, 1, MPI_INT, target_, where, 1, MPI_INT, win_);
    }

private:
    int target_;
    MPI_Win win_;
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *cells, copy = 0, seen = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    cells[1] = 6 + rank;
    MPI_Barrier(MPI_COMM_WORLD);

    {
        LockedEpoch epoch(1 - rank, win);
        epoch.get(&copy, 1);
    }
    seen = copy;

    std::printf("rank %d: %d\n", rank, seen);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
