// Windows, epochs and types of MPI as objects that clean up after themselves.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace plasma {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline void check(int code, const char *what) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw Error(std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

template <class T> struct TypeOf;
template <> struct TypeOf<double> {
    static MPI_Datatype get() { return MPI_DOUBLE; }
};
template <> struct TypeOf<std::int64_t> {
    static MPI_Datatype get() { return MPI_INT64_T; }
};
template <> struct TypeOf<int> {
    static MPI_Datatype get() { return MPI_INT; }
};

// Memory of T on every rank of a communicator, allocated with its window.
template <class T> class Window {
public:
    Window(MPI_Comm comm, std::size_t count, const char *name) : count_(count) {
        // Whole cache lines: neighbours in shared memory do not disturb each other.
        auto bytes = static_cast<MPI_Aint>((count * sizeof(T) / 64 + 1) * 64);
        check(MPI_Win_allocate(bytes, static_cast<int>(sizeof(T)), MPI_INFO_NULL, comm, &base_, &window_),
              "allocating a window");
        MPI_Win_set_name(window_, name);
        for (std::size_t i = 0; i < count; i++) base_[i] = T{};
    }
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;
    Window(Window &&other) noexcept
        : window_(std::exchange(other.window_, MPI_WIN_NULL)), base_(other.base_), count_(other.count_) {}
    Window &operator=(Window &&) = delete;
    ~Window() {
        if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
    }

    T &operator[](std::size_t i) { return base_[i]; }
    const T &operator[](std::size_t i) const { return base_[i]; }
    T *begin() { return base_; }
    T *end() { return base_ + count_; }
    std::size_t size() const { return count_; }
    MPI_Win handle() const { return window_; }

    void fence(int assertion = 0) { check(MPI_Win_fence(assertion, window_), "fence"); }
    void sync() { check(MPI_Win_sync(window_), "sync"); }
    void flush(int target) { check(MPI_Win_flush(target, window_), "flush"); }
    void flush_all() { check(MPI_Win_flush_all(window_), "flush_all"); }

    void put(const T *from, std::size_t count, int target, std::size_t place) {
        put(from, count, target, place, TypeOf<T>::get());
    }
    void put(const T *from, std::size_t count, int target, std::size_t place, MPI_Datatype type) {
        int n = static_cast<int>(count);
        check(MPI_Put(from, n, type, target, static_cast<MPI_Aint>(place), n, type, window_), "put");
    }
    void add(const T *from, std::size_t count, int target, std::size_t place) {
        int n = static_cast<int>(count);
        MPI_Datatype type = TypeOf<T>::get();
        check(MPI_Accumulate(from, n, type, target, static_cast<MPI_Aint>(place), n, type, MPI_SUM, window_),
              "accumulate");
    }
    // The value before. Complete when it returns.
    T fetch_add(T value, int target, std::size_t place) {
        T before{};
        check(MPI_Fetch_and_op(&value, &before, TypeOf<T>::get(), target, static_cast<MPI_Aint>(place), MPI_SUM,
                               window_),
              "fetch and add");
        flush(target);
        return before;
    }

private:
    MPI_Win window_ = MPI_WIN_NULL;
    T *base_ = nullptr;
    std::size_t count_;
};

// A passive target epoch to all ranks as long as it lives.
template <class T> class SharedEpoch {
public:
    explicit SharedEpoch(Window<T> &window, int assertion = 0) : window_(window) {
        check(MPI_Win_lock_all(assertion, window_.handle()), "lock_all");
    }
    SharedEpoch(const SharedEpoch &) = delete;
    SharedEpoch &operator=(const SharedEpoch &) = delete;
    ~SharedEpoch() { MPI_Win_unlock_all(window_.handle()); }

private:
    Window<T> &window_;
};

class Type {
public:
    Type(const std::vector<int> &lengths, const std::vector<MPI_Aint> &places, const std::vector<MPI_Datatype> &kinds,
         std::size_t extent) {
        MPI_Datatype packed;
        check(MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), places.data(), kinds.data(),
                                     &packed),
              "making a type");
        check(MPI_Type_create_resized(packed, 0, static_cast<MPI_Aint>(extent), &type_), "resizing a type");
        check(MPI_Type_commit(&type_), "committing a type");
        MPI_Type_free(&packed);
    }
    Type(const Type &) = delete;
    Type &operator=(const Type &) = delete;
    ~Type() { MPI_Type_free(&type_); }
    MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

inline double sum(MPI_Comm comm, double mine) {
    double all = 0.0;
    check(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm), "sum");
    return all;
}

inline std::int64_t sum(MPI_Comm comm, std::int64_t mine) {
    std::int64_t all = 0;
    check(MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, comm), "sum");
    return all;
}

} // namespace plasma
