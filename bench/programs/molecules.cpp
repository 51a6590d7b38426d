/* Molecular dynamics of a Lennard-Jones fluid: atoms in slabs, neighbour lists, and halos of atoms in windows.
 *
 * A rank owns the atoms of a slab of the box and holds copies of the atoms of its two neighbours that lie within the
 * cutoff of its own. Positions are a window: after each step the atoms of the border are packed by an index list into
 * `buf[3*i+0..2]`, which lies in a second window, and put into the neighbour's positions, after its own atoms. Forces
 * on copies go back the same way: put into the neighbour's inbox, and added by the same index list. Every few steps
 * atoms that have left the slab move on, the borders are chosen anew and the neighbour lists are built from bins.
 *
 * The state starts as a lattice with random velocities of zero sum: the number of atoms and the momentum must stay,
 * and the total energy must not drift.
 *
 * Usage: molecules CELLS STEPS     (CELLS^3 unit cells of four atoms on each rank, slabs stacked in x) */
#include "measure.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr double density = 0.8442, cutoff = 2.5, skin = 0.3, time_step = 0.004;
constexpr int rebuild_every = 10, directions = 2;

struct Box {
    double length[3];     // of the whole box
    double low, high;     // of my slab, in x
};

/* A part of memory that others put into. */
struct Window {
    double *memory = nullptr;
    MPI_Win handle = MPI_WIN_NULL;
    std::size_t doubles = 0;

    void create(std::size_t count, const char *name)
    {
        doubles = count;
        MPI_Win_allocate((MPI_Aint)(count * sizeof(double)), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                         &handle);
        MPI_Win_set_name(handle, name);
        MPI_Win_fence(MPI_MODE_NOPRECEDE, handle);
    }

    void free()
    {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, handle);
        MPI_Win_free(&handle);
    }
};

/* What goes to one neighbour, and what comes from it. */
struct Border {
    int rank = 0;
    double shift = 0;               // added to x of what goes there, where the box ends between us
    std::vector<int> list;          // my atoms near that side
    int first = 0, copies = 0;      // the neighbour's atoms among mine
    int their_first = 0;            // where my atoms go among the neighbour's
};

class Atoms {
public:
    Window place;                   // x, y, z of each atom: mine, then copies
    std::vector<double> velocity, force;
    int owned = 0, copies = 0, capacity = 0;

    explicit Atoms(int most) : velocity(3 * (std::size_t)most), force(3 * (std::size_t)most), capacity(most)
    {
        place.create(3 * (std::size_t)most, "positions");
    }

    double *x() { return place.memory; }
    int all() const { return owned + copies; }

    void add(const double *at, const double *with)
    {
        need(owned + 1);
        for (int d = 0; d < 3; d++) {
            x()[3 * owned + d] = at[d];
            velocity[3 * owned + d] = with[d];
        }
        owned++;
    }

    /* The last atom takes the place of one that leaves. */
    void remove(int i)
    {
        owned--;
        for (int d = 0; d < 3; d++) {
            x()[3 * i + d] = x()[3 * owned + d];
            velocity[3 * i + d] = velocity[3 * owned + d];
        }
    }

    void need(int count) const
    {
        if (count > capacity) {
            std::fprintf(stderr, "molecules: no room for %d atoms\n", count);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
};

/* For each atom, the others within the cutoff and the skin; each pair of owned atoms once. */
class Neighbours {
public:
    std::vector<int> begin, list;

    void build(Atoms &atoms, const Box &box)
    {
        const double reach = cutoff + skin;
        double low[3], width[3];
        const double *x = atoms.x();
        for (int d = 0; d < 3; d++) {
            low[d] = d == 0 ? box.low - reach : 0;
            const double high = d == 0 ? box.high + reach : box.length[d];
            count[d] = std::max(d == 0 ? 1 : 3, (int)((high - low[d]) / reach));
            width[d] = (high - low[d]) / count[d];
        }
        head.assign((std::size_t)count[0] * count[1] * count[2], -1);
        next.assign(atoms.all(), -1);
        bin.resize(atoms.all());
        for (int i = atoms.all() - 1; i >= 0; i--) {
            int c[3];
            for (int d = 0; d < 3; d++)
                c[d] = std::clamp((int)((x[3 * i + d] - low[d]) / width[d]), 0, count[d] - 1);
            bin[i] = (c[2] * count[1] + c[1]) * count[0] + c[0];
            next[i] = head[bin[i]];
            head[bin[i]] = i;
        }
        begin.assign(1, 0);
        list.clear();
        for (int i = 0; i < atoms.owned; i++) {
            around(i, x, box, reach * reach);
            begin.push_back((int)list.size());
        }
    }

private:
    int count[3] = {0, 0, 0};
    std::vector<int> head, next, bin;

    void around(int i, const double *x, const Box &box, double limit)
    {
        const int cx = bin[i] % count[0], cy = bin[i] / count[0] % count[1], cz = bin[i] / count[0] / count[1];
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (cx + dx < 0 || cx + dx >= count[0])
                        continue;
                    const int by = (cy + dy + count[1]) % count[1], bz = (cz + dz + count[2]) % count[2];
                    for (int j = head[(bz * count[1] + by) * count[0] + cx + dx]; j >= 0; j = next[j]) {
                        if (j <= i)
                            continue;
                        double r2 = 0;
                        for (int d = 0; d < 3; d++) {
                            double apart = x[3 * i + d] - x[3 * j + d];
                            if (d > 0)
                                apart -= box.length[d] * std::nearbyint(apart / box.length[d]);
                            r2 += apart * apart;
                        }
                        if (r2 < limit)
                            list.push_back(j);
                    }
                }
    }
};

class Exchange {
public:
    std::array<Border, directions> border;

    Exchange(int rank, int size, const Box &box, int most) : room(most)
    {
        border[0].rank = (rank + size - 1) % size;
        border[1].rank = (rank + 1) % size;
        border[0].shift = rank == 0 ? box.length[0] : 0;
        border[1].shift = rank == size - 1 ? -box.length[0] : 0;
        buffer.create(directions * 3 * (std::size_t)most, "packed atoms");
        inbox.create(directions * 3 * (std::size_t)most, "forces on copies");
    }

    void free()
    {
        buffer.free();
        inbox.free();
    }

    /* Atoms that have left the slab go to its neighbours. */
    void migrate(Atoms &atoms, const Box &box)
    {
        std::array<std::vector<double>, directions> leaving;
        double *x = atoms.x();
        for (int i = 0; i < atoms.owned;) {
            for (int d = 1; d < 3; d++)
                x[3 * i + d] -= box.length[d] * std::floor(x[3 * i + d] / box.length[d]);
            const int side = x[3 * i] < box.low ? 0 : x[3 * i] >= box.high ? 1 : -1;
            if (side < 0) {
                i++;
                continue;
            }
            const double at[3] = {x[3 * i] + border[side].shift, x[3 * i + 1], x[3 * i + 2]};
            leaving[side].insert(leaving[side].end(), at, at + 3);
            leaving[side].insert(leaving[side].end(), &atoms.velocity[3 * i], &atoms.velocity[3 * i] + 3);
            atoms.remove(i);
        }
        for (int side = 0; side < directions; side++) {
            const std::vector<double> came = swap(leaving[side], side);
            for (std::size_t k = 0; k < came.size(); k += 6)
                atoms.add(&came[k], &came[k + 3]);
        }
    }

    /* Chooses the atoms of each border, and agrees with the neighbours where they go. */
    void choose(Atoms &atoms, const Box &box)
    {
        const double reach = cutoff + skin;
        const double *x = atoms.x();
        for (int side = 0; side < directions; side++) {
            border[side].list.clear();
            for (int i = 0; i < atoms.owned; i++)
                if (side == 0 ? x[3 * i] < box.low + reach : x[3 * i] >= box.high - reach)
                    border[side].list.push_back(i);
            if ((int)border[side].list.size() > room)
                MPI_Abort(MPI_COMM_WORLD, 2);
        }
        atoms.copies = 0;
        for (int side = 0; side < directions; side++) {
            Border &to = border[side], &from = border[1 - side];
            const int sent = (int)to.list.size();
            MPI_Sendrecv(&sent, 1, MPI_INT, to.rank, side, &from.copies, 1, MPI_INT, from.rank, side, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            from.first = atoms.all();
            atoms.copies += from.copies;
            MPI_Sendrecv(&from.first, 1, MPI_INT, from.rank, 2 + side, &to.their_first, 1, MPI_INT, to.rank, 2 + side,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        atoms.need(atoms.all());
    }

    /* Packs the atoms of the borders and puts them into the positions of the neighbours. */
    void send_positions(Atoms &atoms)
    {
        const double *x = atoms.x();
        for (int side = 0; side < directions; side++) {
            double *buf = buffer.memory + (std::size_t)side * 3 * room;
            const Border &to = border[side];
            for (std::size_t i = 0; i < to.list.size(); i++) {
                const int j = to.list[i];
                buf[3 * i + 0] = x[3 * j + 0] + to.shift;
                buf[3 * i + 1] = x[3 * j + 1];
                buf[3 * i + 2] = x[3 * j + 2];
            }
        }
        MPI_Win_fence(0, atoms.place.handle);
        for (int side = 0; side < directions; side++) {
            const Border &to = border[side];
            const int count = 3 * (int)to.list.size();
            MPI_Put(buffer.memory + (std::size_t)side * 3 * room, count, MPI_DOUBLE, to.rank,
                    3 * (MPI_Aint)to.their_first,
                    count, MPI_DOUBLE, atoms.place.handle);
        }
        MPI_Win_fence(0, atoms.place.handle);
    }

    /* The forces on copies go to their owners, who add them. */
    void return_forces(Atoms &atoms)
    {
        MPI_Win_fence(0, inbox.handle);
        for (int side = 0; side < directions; side++) {
            const Border &from = border[side];
            // What came from my side 0 was chosen for its side 1.
            MPI_Put(&atoms.force[3 * from.first], 3 * from.copies, MPI_DOUBLE, from.rank,
                    (MPI_Aint)(1 - side) * 3 * room, 3 * from.copies, MPI_DOUBLE, inbox.handle);
        }
        MPI_Win_fence(0, inbox.handle);
        for (int side = 0; side < directions; side++) {
            const double *buf = inbox.memory + (std::size_t)side * 3 * room;
            const std::vector<int> &list = border[side].list;
            for (std::size_t i = 0; i < list.size(); i++) {
                const int j = list[i];
                atoms.force[3 * j + 0] += buf[3 * i + 0];
                atoms.force[3 * j + 1] += buf[3 * i + 1];
                atoms.force[3 * j + 2] += buf[3 * i + 2];
            }
        }
    }

private:
    Window buffer, inbox;
    int room;

    std::vector<double> swap(const std::vector<double> &out, int side) const
    {
        int sent = (int)out.size(), got = 0;
        const int to = border[side].rank, from = border[1 - side].rank;
        MPI_Sendrecv(&sent, 1, MPI_INT, to, 8, &got, 1, MPI_INT, from, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        std::vector<double> in(got);
        MPI_Sendrecv(out.data(), sent, MPI_DOUBLE, to, 9, in.data(), got, MPI_DOUBLE, from, 9, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        return in;
    }
};

/* Forces of all pairs in the lists; half of the energy of pairs with copies counts here, half there. */
double forces(Atoms &atoms, const Neighbours &near, const Box &box)
{
    const double *x = atoms.x();
    double *f = atoms.force.data(), energy = 0;
    std::fill(atoms.force.begin(), atoms.force.begin() + 3 * (std::size_t)atoms.all(), 0.0);
    for (int i = 0; i < atoms.owned; i++) {
        const double xi = x[3 * i + 0], yi = x[3 * i + 1], zi = x[3 * i + 2];
        double fx = 0, fy = 0, fz = 0;
        for (int k = near.begin[i]; k < near.begin[i + 1]; k++) {
            const int j = near.list[k];
            const double dx = xi - x[3 * j + 0];
            double dy = yi - x[3 * j + 1], dz = zi - x[3 * j + 2];
            dy -= dy > 0.5 * box.length[1] ? box.length[1] : dy < -0.5 * box.length[1] ? -box.length[1] : 0;
            dz -= dz > 0.5 * box.length[2] ? box.length[2] : dz < -0.5 * box.length[2] ? -box.length[2] : 0;
            const double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= cutoff * cutoff)
                continue;
            const double s2 = 1 / r2, s6 = s2 * s2 * s2;
            // A pair with a copy is met on both sides: each takes half of it.
            const double part = j < atoms.owned ? 1.0 : 0.5, strength = part * 48 * s6 * (s6 - 0.5) * s2;
            fx += dx * strength;
            fy += dy * strength;
            fz += dz * strength;
            f[3 * j + 0] -= dx * strength;
            f[3 * j + 1] -= dy * strength;
            f[3 * j + 2] -= dz * strength;
            energy += part * 4 * s6 * (s6 - 1);
        }
        f[3 * i + 0] += fx;
        f[3 * i + 1] += fy;
        f[3 * i + 2] += fz;
    }
    return energy;
}

void kick(Atoms &atoms)
{
    for (int i = 0; i < 3 * atoms.owned; i++)
        atoms.velocity[i] += 0.5 * time_step * atoms.force[i];
}

void drift(Atoms &atoms)
{
    double *x = atoms.x();
    for (int i = 0; i < atoms.owned; i++)
        for (int d = 0; d < 3; d++)
            x[3 * i + d] += time_step * atoms.velocity[3 * i + d];
}

/* Face-centred cubic cells, with velocities whose sum over a cell is zero. */
void lattice(Atoms &atoms, const Box &box, int cells, int rank)
{
    static const double corner[4][3] = {{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}};
    const double edge = box.length[1] / cells;
    unsigned long long state = 88172645463325252ull + 977ull * rank;
    for (int k = 0; k < cells; k++)
        for (int j = 0; j < cells; j++)
            for (int i = 0; i < cells; i++) {
                double with[4][3], sum[3] = {0, 0, 0};
                for (auto &v : with)
                    for (int d = 0; d < 3; d++) {
                        state ^= state << 13;
                        state ^= state >> 7;
                        state ^= state << 17;
                        v[d] = 3.0 * ((double)(state >> 11) / 9007199254740992.0 - 0.5);
                        sum[d] += v[d] / 4;
                    }
                for (int c = 0; c < 4; c++) {
                    const double at[3] = {box.low + (i + corner[c][0] + 0.25) * edge, (j + corner[c][1] + 0.25) * edge,
                                          (k + corner[c][2] + 0.25) * edge};
                    for (int d = 0; d < 3; d++)
                        with[c][d] -= sum[d];
                    atoms.add(at, with[c]);
                }
            }
}

struct Totals {
    double atoms, energy, momentum;
};

Totals totals(const Atoms &atoms, double potential)
{
    double local[5] = {(double)atoms.owned, potential, 0, 0, 0}, all[5];
    for (int i = 0; i < atoms.owned; i++)
        for (int d = 0; d < 3; d++) {
            local[1] += 0.5 * atoms.velocity[3 * i + d] * atoms.velocity[3 * i + d];
            local[2 + d] += atoms.velocity[3 * i + d];
        }
    MPI_Allreduce(local, all, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return {all[0], all[1], std::fabs(all[2]) + std::fabs(all[3]) + std::fabs(all[4])};
}

}  // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int cells = (int)measure_argument(argc, argv, 1, 8, 4);
    const int steps = (int)measure_argument(argc, argv, 2, 20, 1);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    const double edge = std::cbrt(4 / density), side = cells * edge;
    const Box box = {{side * size, side, side}, side * rank, side * (rank + 1)};
    const int own = 4 * cells * cells * cells, most = 4 * own + 4000;
    double bytes = sizeof(double) * 3.0 * (most + 2.0 * directions * most);
    int status;
    {
        Atoms atoms(most);
        Exchange exchange(rank, size, box, most);
        Neighbours near;
        lattice(atoms, box, cells, rank);
        auto rebuild = [&] {
            exchange.migrate(atoms, box);
            exchange.choose(atoms, box);
            exchange.send_positions(atoms);
            near.build(atoms, box);
        };
        rebuild();
        double potential = forces(atoms, near, box);
        exchange.return_forces(atoms);
        const Totals start = totals(atoms, potential);

        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int step = 1; step <= steps; step++) {
            kick(atoms);
            drift(atoms);
            if (step % rebuild_every == 0)
                rebuild();
            else
                exchange.send_positions(atoms);
            potential = forces(atoms, near, box);
            exchange.return_forces(atoms);
            kick(atoms);
        }
        const double seconds = MPI_Wtime() - begin;

        const Totals end = totals(atoms, potential);
        const int verified = end.atoms == start.atoms && end.momentum < 1e-8 * end.atoms &&
                             std::fabs(end.energy - start.energy) < 2e-3 * std::fabs(start.energy);
        status = measure_report("molecules", seconds, steps, bytes, verified);
        exchange.free();
        atoms.place.free();
    }
    MPI_Finalize();
    return status;
}
