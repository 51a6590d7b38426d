// Windows and epochs as objects: what a constructor begins, the destructor ends.
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

namespace lattice {

template <typename T> MPI_Datatype type_of();
template <> inline MPI_Datatype type_of<double>() { return MPI_DOUBLE; }
template <> inline MPI_Datatype type_of<int>() { return MPI_INT; }
template <> inline MPI_Datatype type_of<long>() { return MPI_LONG; }

/// Memory of one process that the others of its communicator may access.
template <typename T> class Window {
public:
    Window(MPI_Comm comm, MPI_Aint count) : count_(count)
    {
        // A line of the cache at least.
        const MPI_Aint least = 64 / static_cast<MPI_Aint>(sizeof(T));
        const MPI_Aint room = count < least ? least : count;
        MPI_Win_allocate(room * static_cast<MPI_Aint>(sizeof(T)), sizeof(T), MPI_INFO_NULL, comm, &base_, &handle_);
    }
    ~Window()
    {
        if (handle_ != MPI_WIN_NULL) MPI_Win_free(&handle_);
    }
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;
    Window(Window &&other) noexcept
        : base_(std::exchange(other.base_, nullptr)), count_(std::exchange(other.count_, 0)),
          handle_(std::exchange(other.handle_, MPI_WIN_NULL))
    {
    }

    MPI_Win handle() const { return handle_; }
    MPI_Aint size() const { return count_; }
    T *begin() { return base_; }
    T *end() { return base_ + count_; }
    T &operator[](MPI_Aint index) { return base_[index]; }

    void put(const T *from, int count, int rank, MPI_Aint place)
    {
        MPI_Put(from, count, type_of<T>(), rank, place, count, type_of<T>(), handle_);
    }
    void get(T *to, int count, int rank, MPI_Aint place)
    {
        MPI_Get(to, count, type_of<T>(), rank, place, count, type_of<T>(), handle_);
    }
    void add(const T *from, int count, int rank, MPI_Aint place)
    {
        MPI_Accumulate(from, count, type_of<T>(), rank, place, count, type_of<T>(), MPI_SUM, handle_);
    }
    /// Adds to one element, and says what it was; after a flush.
    T fetch_and_add(T more, int rank, MPI_Aint place)
    {
        T before{};
        MPI_Fetch_and_op(&more, &before, type_of<T>(), rank, place, MPI_SUM, handle_);
        MPI_Win_flush(rank, handle_);
        return before;
    }

private:
    T *base_ = nullptr;
    MPI_Aint count_ = 0;
    MPI_Win handle_ = MPI_WIN_NULL;
};

/// All processes may access each other's memory until the end of a block.
class SharedAccess {
public:
    template <typename T> explicit SharedAccess(Window<T> &window) : window_(window.handle())
    {
        MPI_Win_lock_all(0, window_);
    }
    ~SharedAccess() { MPI_Win_unlock_all(window_); }
    SharedAccess(const SharedAccess &) = delete;
    SharedAccess &operator=(const SharedAccess &) = delete;

    void flush(int rank) { MPI_Win_flush(rank, window_); }
    void flush_all() { MPI_Win_flush_all(window_); }

private:
    MPI_Win window_;
};

/// One process's memory may be accessed until the end of a block.
class Locked {
public:
    template <typename T> Locked(Window<T> &window, int rank, bool alone) : window_(window.handle()), rank_(rank)
    {
        MPI_Win_lock(alone ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, rank, 0, window_);
    }
    ~Locked() { MPI_Win_unlock(rank_, window_); }
    Locked(const Locked &) = delete;
    Locked &operator=(const Locked &) = delete;

private:
    MPI_Win window_;
    int rank_;
};

/// A set of processes.
class Group {
public:
    Group(MPI_Comm comm, const std::vector<int> &ranks)
    {
        MPI_Group all;
        MPI_Comm_group(comm, &all);
        MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &handle_);
        MPI_Group_free(&all);
    }
    ~Group() { MPI_Group_free(&handle_); }
    Group(const Group &) = delete;
    Group &operator=(const Group &) = delete;

    MPI_Group handle() const { return handle_; }

private:
    MPI_Group handle_ = MPI_GROUP_NULL;
};

} // namespace lattice
