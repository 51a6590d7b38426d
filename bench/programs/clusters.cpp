/* Clusters of a graph by the greedy growth of modularity (the first level of Blondel et al. 2008), vertices shared
 * out among the ranks.
 *
 * Each rank keeps the edges of its vertices as adjacency lists, its view of other ranks' vertices in a hash map, and two
 * windows of structs: for each of its vertices the community and the degree, for each of its communities (named after
 * their founder) the members and their degrees. A round has two halves, of even and odd vertices. In each half a rank
 * gets what it does not own, one struct at a time, decides for each vertex which community of its neighbours gains
 * most, and accumulates the changes into the communities' owners.
 *
 * The graph is made of planted groups. The degrees of all communities must sum to twice the edges, members to the
 * number of vertices, and modularity, computed twice in different ways, must agree and must have grown.
 *
 * Usage: clusters VERTICES ROUNDS     (VERTICES on each rank) */
#include "measure.h"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace {

using Vertex = std::int64_t;

constexpr int group = 24;              // vertices of a planted group
constexpr int within = 10, across = 2; // edges that each vertex begins in its group, and elsewhere

struct VertexState {
    Vertex community;
    double degree;
    std::int32_t round, moves;
};

struct Community {
    std::int64_t members;
    double degree;
};

struct Edge {
    Vertex to;
    double weight;
};

std::uint64_t scramble(std::uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 33);
}

/* Vertices are dealt out in blocks: a rank owns `each` in a row. */
struct Layout {
    int rank, size;
    Vertex each;

    Vertex all() const { return each * size; }
    Vertex first() const { return each * rank; }
    int owner(Vertex v) const { return (int)(v / each); }
    Vertex local(Vertex v) const { return v % each; }
    bool mine(Vertex v) const { return owner(v) == rank; }
};

class Graph {
public:
    std::vector<std::size_t> begin;
    std::vector<Edge> edges;
    double total = 0;                   // twice the weight of all edges of all ranks

    explicit Graph(const Layout &layout)
    {
        std::vector<std::vector<Edge>> ends((std::size_t)layout.each);
        // Every rank makes all edges, and keeps those that end at its vertices: no exchange, the same graph everywhere.
        for (Vertex v = 0; v < layout.all(); v++)
            for (int k = 0; k < within + across; k++) {
                const Vertex w = end_of(v, k, layout.all());
                if (v == w)
                    continue;
                const double weight = 1 + (double)((v + w) % 3);
                if (layout.mine(v))
                    ends[layout.local(v)].push_back({w, weight});
                if (layout.mine(w))
                    ends[layout.local(w)].push_back({v, weight});
                total += 2 * weight;
            }
        begin.push_back(0);
        for (auto &list : ends) {
            std::sort(list.begin(), list.end(), [](const Edge &a, const Edge &b) { return a.to < b.to; });
            edges.insert(edges.end(), list.begin(), list.end());
            begin.push_back(edges.size());
        }
    }

    double degree(Vertex local) const
    {
        double sum = 0;
        for (std::size_t e = begin[local]; e < begin[local + 1]; e++)
            sum += edges[e].weight;
        return sum;
    }

private:
    static Vertex end_of(Vertex v, int k, Vertex all)
    {
        const std::uint64_t draw = scramble((std::uint64_t)v * 64 + (std::uint64_t)k);
        if (k >= within)
            return (Vertex)(draw % (std::uint64_t)all);
        // Members of a group lie far apart, so that groups are spread over the ranks.
        const Vertex groups = (all + group - 1) / group, which = v % groups;
        const Vertex members = (all - which + groups - 1) / groups;
        return which + groups * (Vertex)(draw % (std::uint64_t)members);
    }
};

template <typename Record> class Window {
public:
    Record *memory = nullptr;

    Window(Vertex count, const char *name)
    {
        const auto bytes = (MPI_Aint)(count * (Vertex)sizeof(Record));
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &handle);
        MPI_Win_set_name(handle, name);
    }

    void open() { MPI_Win_lock_all(MPI_MODE_NOCHECK, handle); }
    void close() { MPI_Win_unlock_all(handle); }
    void flush() { MPI_Win_flush_all(handle); }
    void sync() { MPI_Win_sync(handle); }
    void free() { MPI_Win_free(&handle); }

    void get(Record *into, int owner, Vertex place)
    {
        MPI_Get(into, (int)sizeof(Record), MPI_BYTE, owner, (MPI_Aint)(place * (Vertex)sizeof(Record)),
                (int)sizeof(Record), MPI_BYTE, handle);
    }

    template <typename Value>
    void add(const Value *value, MPI_Datatype type, int owner, Vertex place, std::size_t offset)
    {
        MPI_Accumulate(value, 1, type, owner, (MPI_Aint)(place * (Vertex)sizeof(Record) + (Vertex)offset), 1, type,
                       MPI_SUM, handle);
    }

private:
    MPI_Win handle = MPI_WIN_NULL;
};

class Clustering {
public:
    Clustering(const Layout &where, const Graph &what)
        : layout(where), graph(what), vertices(where.each, "vertices"), communities(where.each, "communities")
    {
        for (Vertex v = 0; v < layout.each; v++) {
            const double degree = graph.degree(v);
            vertices.memory[v] = {layout.first() + v, degree, 0, 0};
            communities.memory[v] = {1, degree};
        }
        for (const Edge &edge : graph.edges)
            if (!layout.mine(edge.to))
                ghosts.emplace(edge.to, VertexState{});
        vertices.open();
        communities.open();
        settle();
    }

    void free()
    {
        vertices.close();
        communities.close();
        vertices.free();
        communities.free();
    }

    /* Half a round: the vertices of one parity decide. Returns how many moved on all ranks. */
    long half_round(int round, int parity)
    {
        refresh_ghosts();
        refresh_communities();
        std::vector<Move> moves;
        std::unordered_map<Vertex, double> links;
        for (Vertex v = 0; v < layout.each; v++)
            if ((v & 1) == parity)
                consider(v, links, moves);
        settle();
        for (const Move &move : moves)
            apply(move, round);
        vertices.sync();
        communities.flush();
        settle();
        long mine = (long)moves.size(), all;
        MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        return all;
    }

    /* Whether everybody is in a community, once; modularity from the communities, and from the edges. */
    bool consistent(double &modularity)
    {
        refresh_ghosts();
        double local[5] = {0, 0, 0, 0, 0}, all[5];
        std::unordered_map<Vertex, double> inner;
        for (Vertex v = 0; v < layout.each; v++) {
            const Community &c = communities.memory[v];
            local[0] += (double)c.members;
            local[1] += c.degree;
            local[2] += c.degree * c.degree;
            for (std::size_t e = graph.begin[v]; e < graph.begin[v + 1]; e++)
                if (community_of(graph.edges[e].to) == vertices.memory[v].community) {
                    local[3] += graph.edges[e].weight;
                    inner[vertices.memory[v].community] += graph.edges[e].weight;
                }
        }
        for (const auto &entry : inner)
            local[4] += entry.second;
        settle();
        MPI_Allreduce(local, all, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        const double squares = all[2] / (graph.total * graph.total);
        modularity = all[3] / graph.total - squares;
        return all[0] == (double)layout.all() && std::fabs(all[1] - graph.total) < 1e-6 * graph.total &&
               std::fabs(all[4] - all[3]) < 1e-6 * graph.total;
    }

private:
    struct Move {
        Vertex vertex, from, to;
        double degree;
    };

    const Layout layout;
    const Graph &graph;
    Window<VertexState> vertices;
    Window<Community> communities;
    std::unordered_map<Vertex, VertexState> ghosts;
    std::unordered_map<Vertex, Community> known;

    void settle() const { MPI_Barrier(MPI_COMM_WORLD); }

    Vertex community_of(Vertex v) const
    {
        return layout.mine(v) ? vertices.memory[layout.local(v)].community : ghosts.at(v).community;
    }

    void refresh_ghosts()
    {
        for (auto &entry : ghosts)
            vertices.get(&entry.second, layout.owner(entry.first), layout.local(entry.first));
        vertices.flush();
    }

    /* Gets all communities that a vertex of mine, or a neighbour of one, is in. */
    void refresh_communities()
    {
        known.clear();
        for (Vertex v = 0; v < layout.each; v++)
            known.emplace(vertices.memory[v].community, Community{});
        for (const auto &entry : ghosts)
            known.emplace(entry.second.community, Community{});
        for (auto &entry : known)
            communities.get(&entry.second, layout.owner(entry.first), layout.local(entry.first));
        communities.flush();
    }

    /* Finds the community of its neighbours that a vertex gains most by joining. */
    void consider(Vertex v, std::unordered_map<Vertex, double> &links, std::vector<Move> &moves)
    {
        const VertexState &state = vertices.memory[v];
        links.clear();
        links[state.community] = 0;
        for (std::size_t e = graph.begin[v]; e < graph.begin[v + 1]; e++)
            links[community_of(graph.edges[e].to)] += graph.edges[e].weight;
        const double stay = links[state.community] -
                            state.degree * (known[state.community].degree - state.degree) / graph.total;
        double best = stay;
        Vertex choice = state.community;
        for (const auto &link : links) {
            if (link.first == state.community)
                continue;
            const double gain = link.second - state.degree * known[link.first].degree / graph.total;
            // Two single vertices must not change places for ever: the smaller name wins.
            if (gain > best + 1e-9 && (known[state.community].members > 1 || known[link.first].members > 1 ||
                                       link.first < state.community)) {
                best = gain;
                choice = link.first;
            }
        }
        if (choice != state.community)
            moves.push_back({v, state.community, choice, state.degree});
    }

    void apply(const Move &move, int round)
    {
        static const std::int64_t one = 1, less_one = -1;
        VertexState &state = vertices.memory[move.vertex];
        state.community = move.to;
        state.round = round;
        state.moves++;
        const double plus = move.degree, minus = -move.degree;
        change(move.from, &less_one, &minus);
        change(move.to, &one, &plus);
    }

    void change(Vertex community, const std::int64_t *members, const double *degree)
    {
        const int owner = layout.owner(community);
        const Vertex place = layout.local(community);
        communities.add(members, MPI_INT64_T, owner, place, offsetof(Community, members));
        communities.add(degree, MPI_DOUBLE, owner, place, offsetof(Community, degree));
        communities.flush();
    }
};

}  // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Layout layout = {0, 1, (Vertex)measure_argument(argc, argv, 1, 2000, 48)};
    const int rounds = (int)measure_argument(argc, argv, 2, 4, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &layout.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &layout.size);

    const Graph graph(layout);
    Clustering clustering(layout, graph);
    double start, end;
    bool verified = clustering.consistent(start);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    int round = 0;
    for (; round < rounds; round++)
        if (clustering.half_round(round, 0) + clustering.half_round(round, 1) == 0)
            break;
    const double seconds = MPI_Wtime() - begin;
    verified = clustering.consistent(end) && verified && end > start;

    const double bytes = (double)layout.each * (sizeof(VertexState) + sizeof(Community));
    const int status = measure_report("clusters", seconds, round, bytes, verified);
    clustering.free();
    MPI_Finalize();
    return status;
}
