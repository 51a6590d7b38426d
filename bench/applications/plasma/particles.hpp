// Particles, and their migration between ranks.
#pragma once

#include "field.hpp"

#include <cstdint>
#include <memory>

namespace plasma {

struct Particle {
    double x, y;
    double vx, vy;
    std::int64_t id;
};

// Where other ranks leave what now belongs to this one: a counter, and slots. A sender reserves slots at the counter.
template <class T> class Mailbox {
public:
    Mailbox(MPI_Comm comm, std::size_t capacity, MPI_Datatype type, const char *name)
        : comm_(comm), type_(type), counter_(comm, 1, "mailbox counter"), slots_(comm, capacity, name),
          counter_epoch_(std::make_unique<SharedEpoch<std::int64_t>>(counter_)),
          slot_epoch_(std::make_unique<SharedEpoch<T>>(slots_, MPI_MODE_NOCHECK)) {
        counter_.sync();
        MPI_Barrier(comm_);
    }
    Mailbox(const Mailbox &) = delete;
    Mailbox &operator=(const Mailbox &) = delete;

    // `items` stay as they are until finish().
    void send(const std::vector<T> &items, int target) {
        if (items.empty()) return;
        const auto count = static_cast<std::int64_t>(items.size());
        const std::int64_t slot = counter_.fetch_add(count, target, 0);
        if (slot + count > static_cast<std::int64_t>(slots_.size()))
            throw Error("a mailbox is full: larger --room");
        slots_.put(items.data(), items.size(), target, static_cast<std::size_t>(slot), type_);
    }

    // After all have sent: what has come is appended to `to`.
    void finish(std::vector<T> &to) {
        slots_.flush_all();
        MPI_Barrier(comm_);
        counter_.sync();
        slots_.sync();
        const auto count = static_cast<std::size_t>(counter_[0]);
        to.insert(to.end(), slots_.begin(), slots_.begin() + count);
        counter_[0] = 0;
        counter_.sync();
        MPI_Barrier(comm_);
    }

private:
    MPI_Comm comm_;
    MPI_Datatype type_;
    Window<std::int64_t> counter_;
    Window<T> slots_;
    std::unique_ptr<SharedEpoch<std::int64_t>> counter_epoch_;
    std::unique_ptr<SharedEpoch<T>> slot_epoch_;
};

struct Moments {
    std::int64_t count = 0;
    std::int64_t ids = 0; // sum of identities
    double px = 0.0, py = 0.0;
    double kinetic = 0.0;
};

class Particles {
public:
    Particles(const Grid &grid, const Options &options);

    void load(const Options &options);
    void deposit(Field &charge) const;
    void kick(const Field &ex, const Field &ey, double dt);
    void drift(double dt);
    // Sends particles to the owners of their columns. Returns how many left this rank.
    std::size_t migrate();
    void sort();
    Moments moments() const;
    std::size_t size() const { return list_.size(); }
    template <class F> void each(F &&visit) const {
        for (const Particle &p : list_) visit(p);
    }
    double weight() const { return weight_; }
    std::int64_t misplaced() const;

private:
    struct Cell {
        int column, row, up; // local column
        double fx, fy;
    };
    Cell cell_of(const Particle &p) const;
    double wrap(double x, double length) const;

    const Grid &grid_;
    Type type_;
    std::vector<Particle> list_;
    std::vector<std::vector<Particle>> outgoing_; // one for each rank
    Mailbox<Particle> mailbox_;
    double weight_;
};

} // namespace plasma
