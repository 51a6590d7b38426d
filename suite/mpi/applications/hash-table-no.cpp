/* {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "a distributed hash table with keys claimed by compare and swap", "OPTIONS": "--mca pml ob1 --mca btl tcp,self --mca osc pt2pt"} */
// A distributed hash table: open addressing in the windows of all processes, keys claimed by compare and swap, values
// by puts that a state word publishes; policies by templates, errors by exceptions, reports by string streams.
#include <mpi.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace table {

template <class T> struct mpi_type;
template <> struct mpi_type<std::int64_t> {
    static MPI_Datatype get() { return MPI_INT64_T; }
};

struct Mix {
    std::uint64_t operator()(std::uint64_t key) const {
        key ^= key >> 33;
        key *= 0xff51afd7ed558ccdULL;
        key ^= key >> 33;
        return key;
    }
};

// A full table: who inserts more is told so.
struct Full : std::runtime_error {
    explicit Full(std::int64_t key) : std::runtime_error("no room for key " + std::to_string(key)), key(key) {}
    std::int64_t key;
};

template <class Value, class Hash = Mix> class Table {
    static constexpr std::int64_t nobody = -1;
    enum State : std::int64_t { empty = 0, written = 1 };
    struct Slot {
        std::int64_t key, state;
        Value value;
    };

  public:
    Table(MPI_Comm comm, std::size_t slots) : slots_(slots) {
        MPI_Comm_rank(comm, &me_);
        MPI_Comm_size(comm, &np_);
        MPI_Win_allocate(static_cast<MPI_Aint>(slots * sizeof(Slot)), 1, MPI_INFO_NULL, comm, &own_, &win_);
        for (std::size_t i = 0; i < slots; i++) own_[i] = Slot{nobody, empty, Value{}};
        MPI_Barrier(comm);
        MPI_Win_lock_all(0, win_);
    }
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;
    ~Table() {
        MPI_Win_unlock_all(win_);
        MPI_Win_free(&win_);
    }

    void insert(std::int64_t key, const Value &value) {
        for (std::size_t probe = 0; probe < slots_; probe++) {
            const auto [owner, at] = place(key, probe);
            const std::int64_t was = swap(owner, at + offsetof(Slot, key), nobody, key);
            if (was != nobody && was != key) continue;
            MPI_Put(&value, sizeof value, MPI_BYTE, owner, at + offsetof(Slot, value), sizeof value, MPI_BYTE, win_);
            MPI_Win_flush(owner, win_);
            store(owner, at + offsetof(Slot, state), written);
            return;
        }
        throw Full(key);
    }

    std::optional<Value> find(std::int64_t key) const {
        for (std::size_t probe = 0; probe < slots_; probe++) {
            const auto [owner, at] = place(key, probe);
            const std::int64_t found = load(owner, at + offsetof(Slot, key));
            if (found == nobody) return std::nullopt;
            if (found != key) continue;
            if (load(owner, at + offsetof(Slot, state)) != written) return std::nullopt;
            Value value;
            MPI_Get(&value, sizeof value, MPI_BYTE, owner, at + offsetof(Slot, value), sizeof value, MPI_BYTE, win_);
            MPI_Win_flush(owner, win_);
            check_ = check_ * 31 + reinterpret_cast<const unsigned char &>(value);
            return value;
        }
        return std::nullopt;
    }

  private:
    std::pair<int, MPI_Aint> place(std::int64_t key, std::size_t probe) const {
        const std::uint64_t hash = Hash{}(static_cast<std::uint64_t>(key)) + probe;
        const auto owner = static_cast<int>(hash % static_cast<std::uint64_t>(np_));
        const std::size_t slot = static_cast<std::size_t>(hash / static_cast<std::uint64_t>(np_)) % slots_;
        return {owner, static_cast<MPI_Aint>(slot * sizeof(Slot))};
    }
    std::int64_t swap(int owner, MPI_Aint at, std::int64_t expected, std::int64_t wanted) const {
        std::int64_t was;
        MPI_Compare_and_swap(&wanted, &expected, &was, mpi_type<std::int64_t>::get(), owner, at, win_);
        MPI_Win_flush(owner, win_);
        return was;
    }
    std::int64_t load(int owner, MPI_Aint at) const {
        std::int64_t value;
        MPI_Fetch_and_op(nullptr, &value, mpi_type<std::int64_t>::get(), owner, at, MPI_NO_OP, win_);
        MPI_Win_flush(owner, win_);
        return value;
    }
    void store(int owner, MPI_Aint at, std::int64_t value) const {
        MPI_Accumulate(&value, 1, mpi_type<std::int64_t>::get(), owner, at, 1, mpi_type<std::int64_t>::get(),
                       MPI_REPLACE, win_);
        MPI_Win_flush(owner, win_);
    }

    std::size_t slots_;
    // Of what was found: its first bytes.
    mutable unsigned long check_ = 0;
    int me_ = 0, np_ = 1;
    Slot *own_ = nullptr;
    MPI_Win win_ = MPI_WIN_NULL;
};

} // namespace table

struct Point {
    double x, y;
    std::int64_t owner;
};

static std::string label(int rank, std::int64_t key, const Point &p) {
    std::ostringstream text;
    text << "rank " << rank << ": key " << std::setw(4) << std::setfill('0') << key << " at " << std::fixed
         << std::setprecision(2) << p.x << ',' << p.y;
    return text.str();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, np;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int failures = 0;
    {
        const int each = 6;
        auto points = std::make_unique<table::Table<Point>>(MPI_COMM_WORLD, 16);
        std::vector<std::int64_t> keys;
        for (int i = 0; i < each; i++) keys.push_back(me * each + i);
        std::for_each(keys.begin(), keys.end(), [&](std::int64_t key) {
            points->insert(key, Point{static_cast<double>(key) / 2, static_cast<double>(me), me});
        });
        MPI_Barrier(MPI_COMM_WORLD);
        std::map<std::int64_t, int> owners;
        for (std::int64_t key = 0; key < each * np; key++) {
            const std::optional<Point> found = points->find(key);
            if (!found || found->owner != key / each) failures++;
            else owners[found->owner]++;
            if (found && me == 0 && key % 5 == 0) std::puts(label(me, key, *found).c_str());
        }
        if (static_cast<int>(owners.size()) != np) failures++;
        MPI_Barrier(MPI_COMM_WORLD);
        // A small table fills up, and says so.
        table::Table<std::int64_t> small(MPI_COMM_WORLD, 1);
        try {
            for (std::int64_t key = 0; key < np + 1; key++)
                if (me == 0) small.insert(key, key);
            if (me == 0) failures++;
        } catch (const table::Full &full) {
            if (full.what() != "no room for key " + std::to_string(full.key) || full.key > np) failures++;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (me == 0) std::printf("%d failures\n", failures);
    MPI_Finalize();
    return failures != 0;
}
