/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@121", "LOAD@122"], "NPROCS": 3, "DESCRIPTION": "a bounded queue of many producers: a task is used before its get is complete", "OPTIONS": "--mca pml ob1 --mca btl tcp,self --mca osc pt2pt"} */
// A bounded queue with many producers and consumers in the window of each process; C++ with owners of resources.
#include <mpi.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rma {
class Window {
  public:
    Window(MPI_Comm comm, MPI_Aint bytes) {
        if (MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm, &base_, &win_) != MPI_SUCCESS)
            throw std::runtime_error("window");
    }
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;
    ~Window() {
        if (win_ != MPI_WIN_NULL) MPI_Win_free(&win_);
    }
    MPI_Win get() const { return win_; }
    template <class T> T *at(MPI_Aint offset) const { return reinterpret_cast<T *>(static_cast<char *>(base_) +
        offset); }

  private:
    MPI_Win win_ = MPI_WIN_NULL;
    void *base_ = nullptr;
};

class LockAll {
  public:
    explicit LockAll(const Window &w) : win_(w.get()) { MPI_Win_lock_all(MPI_MODE_NOCHECK, win_); }
    ~LockAll() { MPI_Win_unlock_all(win_); }

  private:
    MPI_Win win_;
};

template <class T> struct type_of;
template <> struct type_of<std::int64_t> { static MPI_Datatype get() { return MPI_INT64_T; } };
template <> struct type_of<double> { static MPI_Datatype get() { return MPI_DOUBLE; } };

template <class T> class Remote {
  public:
    Remote(const Window &w, int rank, MPI_Aint offset) : win_(w.get()), rank_(rank), offset_(offset) {}
    T fetch_add(T v) {
        T old;
        MPI_Fetch_and_op(&v, &old, type_of<T>::get(), rank_, offset_, MPI_SUM, win_);
        MPI_Win_flush(rank_, win_);
        return old;
    }
    T load() {
        T out;
        MPI_Fetch_and_op(nullptr, &out, type_of<T>::get(), rank_, offset_, MPI_NO_OP, win_);
        MPI_Win_flush(rank_, win_);
        return out;
    }
    void store(T v) {
        MPI_Accumulate(&v, 1, type_of<T>::get(), rank_, offset_, 1, type_of<T>::get(), MPI_REPLACE, win_);
        MPI_Win_flush(rank_, win_);
    }
    bool compare_exchange(T &expected, T desired) {
        T seen;
        MPI_Compare_and_swap(&desired, &expected, &seen, type_of<T>::get(), rank_, offset_, win_);
        MPI_Win_flush(rank_, win_);
        bool won = seen == expected;
        expected = seen;
        return won;
    }

  private:
    MPI_Win win_;
    int rank_;
    MPI_Aint offset_;
};
} // namespace rma

struct Task {
    double value;
    std::int64_t origin;
};

class Queue {
  public:
    static constexpr int capacity = 64;
    Queue(MPI_Comm comm, int owner) : window_(std::make_unique<rma::Window>(comm, layout(comm, owner))),
        owner_(owner) {
        int me;
        MPI_Comm_rank(comm, &me);
        if (me == owner) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, window_->get());
            std::fill_n(window_->at<char>(0), layout(comm, owner), 0);
            MPI_Win_unlock(me, window_->get());
        }
        MPI_Barrier(comm);
        epoch_ = std::make_unique<rma::LockAll>(*window_);
    }
    void push(const Task &task) {
        auto ticket = rma::Remote<std::int64_t>(*window_, owner_, 0).fetch_add(1);
        if (ticket >= capacity) throw std::length_error("queue is full");
        MPI_Put(&task, sizeof task, MPI_BYTE, owner_, slot(ticket), sizeof task, MPI_BYTE, window_->get());
        MPI_Win_flush(owner_, window_->get());
        rma::Remote<std::int64_t>(*window_, owner_, ready(ticket)).store(1);
    }
    std::optional<Task> pop() {
        rma::Remote<std::int64_t> head(*window_, owner_, 8);
        auto mine = head.load();
        for (;;) {
            if (mine >= capacity) return std::nullopt;
            if (rma::Remote<std::int64_t>(*window_, owner_, ready(mine)).load() == 0) return std::nullopt;
            if (head.compare_exchange(mine, mine + 1)) break;
        }
        Task task;
        MPI_Get(&task, sizeof task, MPI_BYTE, owner_, slot(mine), sizeof task, MPI_BYTE, window_->get());
        return task;
    }

  private:
    static MPI_Aint ready(std::int64_t i) { return 16 + 8 * i; }
    static MPI_Aint slot(std::int64_t i) { return 16 + 8 * capacity + static_cast<MPI_Aint>(sizeof(Task)) * i; }
    static MPI_Aint layout(MPI_Comm comm, int owner) {
        int me;
        MPI_Comm_rank(comm, &me);
        return me == owner ? slot(capacity) : 0;
    }
    std::unique_ptr<rma::Window> window_;
    std::unique_ptr<rma::LockAll> epoch_;
    int owner_;
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    {
        int me, np;
        MPI_Comm_rank(MPI_COMM_WORLD, &me);
        MPI_Comm_size(MPI_COMM_WORLD, &np);
        Queue queue(MPI_COMM_WORLD, 0);
        std::vector<double> work(8);
        std::iota(work.begin(), work.end(), me * 8.0);
        for (double w : work) queue.push({w, me});
        MPI_Barrier(MPI_COMM_WORLD);
        double sum = 0;
        std::function<double(const Task &)> f = [](const Task &t) { return t.value * 2; };
        while (auto task = queue.pop()) sum += f(*task);
        double total = 0;
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (me == 0) std::printf("total %g\n", total);
    }
    MPI_Finalize();
}
