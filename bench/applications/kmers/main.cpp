// kmers: counts the words of k letters in reads of DNA, in a hash table over the memory of all ranks.
//
// Check: spectrum, counts and graph properties equal those of a serial count on rank 0, and every read was taken once.
#include "contigs.hpp"

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>

namespace kmers {
namespace {

struct Options {
    std::string input; // empty: simulated
    std::size_t genome = 300;
    std::size_t length = 40;
    double coverage = 4.0;
    double errors = 0.01;
    std::uint64_t seed = 7;
    int k = 15;
    int threshold = 2;
    std::size_t buckets = 0;  // a rank; 0: chosen
    std::size_t capacity = 0; // entries a rank; 0: chosen
    std::size_t batch = 256;
    std::size_t chunk = 2;    // reads taken at once
    std::size_t leaders = 5;
    bool verify = true;
    bool quiet = false;
};

const char *const usage = "usage: kmers [-i FILE] [-g GENOME] [-l LENGTH] [-c COVERAGE] [-e ERRORS] [-s SEED] [-k K]\n"
                          "             [-t THRESHOLD] [-b BUCKETS] [-n CAPACITY] [-B BATCH] [-C CHUNK] [-L LEADERS]\n"
                          "             [-x (no verification)] [-q]\n";

template <class T> T number(const char *option, const char *text, T low, T high) {
    std::istringstream in(text);
    T value{};
    if (!(in >> value) || in.peek() != EOF || value < low || value > high) {
        std::ostringstream why;
        why << option << ": expected a number from " << low << " to " << high << ", found " << text;
        throw Error(why.str());
    }
    return value;
}

Options parse(int argc, char **argv) {
    Options o;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (std::strcmp(option, "-x") == 0) {
            o.verify = false;
            continue;
        }
        if (std::strcmp(option, "-q") == 0) {
            o.quiet = true;
            continue;
        }
        if (option[0] != '-' || option[1] == '\0' || option[2] != '\0' || i + 1 == argc)
            throw Error(std::string("what is ") + option + "?\n" + usage);
        const char *value = argv[++i];
        switch (option[1]) {
        case 'i': o.input = value; break;
        case 'g': o.genome = number<std::size_t>(option, value, 32, 1 << 30); break;
        case 'l': o.length = number<std::size_t>(option, value, 4, 100000); break;
        case 'c': o.coverage = number(option, value, 0.01, 10000.0); break;
        case 'e': o.errors = number(option, value, 0.0, 0.5); break;
        case 's': o.seed = number<std::uint64_t>(option, value, 0, 1ULL << 60); break;
        case 'k': o.k = number(option, value, 3, Word::longest); break;
        case 't': o.threshold = number(option, value, 1, 1000000); break;
        case 'b': o.buckets = number<std::size_t>(option, value, 1, 1 << 30); break;
        case 'n': o.capacity = number<std::size_t>(option, value, 1, 1 << 30); break;
        case 'B': o.batch = number<std::size_t>(option, value, 1, 1 << 24); break;
        case 'C': o.chunk = number<std::size_t>(option, value, 1, 1 << 24); break;
        case 'L': o.leaders = number<std::size_t>(option, value, 1, 1000); break;
        default: throw Error(std::string("no option ") + option + "\n" + usage);
        }
    }
    if (o.k % 2 == 0) throw Error("-k: an even word can be its own reverse complement; choose an odd number");
    if (o.input.empty() && o.length > o.genome) throw Error("-l: reads are longer than the genome");
    return o;
}

// The next piece of work, from a counter on rank 0.
class Tickets {
public:
    explicit Tickets(MPI_Comm comm) : counter_(comm, 1, std::int64_t{0}, "tickets") { MPI_Barrier(comm); }
    std::size_t take(std::size_t count) {
        const auto step = static_cast<std::int64_t>(count);
        std::int64_t before = 0;
        MPI_Fetch_and_op(&step, &before, MPI_INT64_T, 0, 0, MPI_SUM, counter_.window());
        MPI_Win_flush(0, counter_.window());
        return static_cast<std::size_t>(before);
    }

private:
    Shared<std::int64_t> counter_;
};

std::int64_t count_reads(const Reads &reads, const Options &o, Table &table, MPI_Comm comm) {
    Tickets tickets(comm);
    Combiner combiner(table, o.batch);
    std::int64_t taken = 0;
    for (;;) {
        const std::size_t first = tickets.take(o.chunk);
        if (first >= reads.count()) break;
        const std::size_t last = std::min(first + o.chunk, reads.count());
        for (std::size_t i = first; i < last; i++) {
            each_word(reads.read(i), o.k, [&](Word word) { combiner.add(word); });
            taken++;
        }
    }
    combiner.flush();
    table.freeze();
    return taken;
}

void report(const Statistics &mine, MPI_Comm comm, int rank) {
    const std::int64_t values[] = {mine.inserted, mine.created, mine.wasted, mine.retries, mine.steps};
    std::int64_t sums[5] = {};
    MPI_Reduce(values, sums, 5, MPI_INT64_T, MPI_SUM, 0, comm);
    if (rank == 0)
        std::cout << sums[0] << " insertions created " << sums[1] << " entries; " << sums[2] << " wasted, " << sums[3]
                  << " retries, " << sums[4] << " entries read" << std::endl;
}

int run(int argc, char **argv) {
    int rank = 0, ranks = 1;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    Options o;
    std::unique_ptr<Reads> reads;
    try {
        o = parse(argc, argv);
        if (o.input.empty())
            reads = std::make_unique<SimulatedReads>(o.genome, o.length, o.coverage, o.errors, o.seed);
        else
            reads = std::make_unique<FileReads>(o.input);
    } catch (const Error &error) {
        if (rank == 0) std::cerr << "kmers: " << error.what() << '\n';
        return 2;
    }
    std::int64_t words = 0;
    for (std::size_t i = 0; i < reads->count(); i++)
        each_word(reads->read(i), o.k, [&](Word) { words++; });
    if (words == 0) {
        if (rank == 0) std::cerr << "kmers: no read has " << o.k << " letters\n";
        return 2;
    }
    const auto share = static_cast<std::size_t>(words / ranks + 1);
    if (o.buckets == 0) o.buckets = share / 4 + 1;
    if (o.capacity == 0) o.capacity = 2 * share + 64;
    if (rank == 0)
        std::cout << "kmers on " << ranks << " ranks: " << reads->count() << " reads, " << words << " words of " << o.k
                  << " letters, " << o.buckets << " buckets and " << o.capacity << " entries a rank" << std::endl;

    Table table(comm, o.k, o.buckets, o.capacity);
    const double start = MPI_Wtime();
    std::int64_t taken = count_reads(*reads, o, table, comm);
    const double counted = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_INT64_T, MPI_SUM, comm);
    const Answers answers = analyse(comm, table, o.threshold);
    ContigBuilder builder(comm, table, o.k, o.threshold);
    const ContigAnswers contigs = builder.build();
    const std::int64_t twice = builder.marked_twice();
    const double analysed = MPI_Wtime();
    report(table.statistics(), comm, rank);
    std::vector<std::pair<std::int64_t, std::uint64_t>> best;
    {
        Leaders leaders(comm, o.leaders);
        best = leaders.collect(table);
    }
    int good = taken == static_cast<std::int64_t>(reads->count()) && answers.total == words && twice == 0;
    if (rank == 0) {
        if (!o.quiet) {
            print(answers);
            for (const auto &[count, bits] : best) std::cout << "  " << Word(bits, o.k).text() << ' ' << count << '\n';
            std::cout << contigs.contigs << " contigs, " << contigs.letters << " letters, longest " << contigs.longest
                      << ", N50 " << contigs.half << ", " << contigs.words << " of " << answers.solid
                      << " solid words\n";
            std::cout << "counting " << counted - start << " s, graph " << analysed - counted << " s" << std::endl;
        }
        const bool same = !o.verify || (analyse_serially(*reads, o.k, o.threshold) == answers &&
                                        contigs_serially(*reads, o.k, o.threshold) == contigs);
        if (!same) good = 0;
        std::cout << "check: " << taken << " reads taken, " << answers.total << " words, "
                  << (o.verify ? (same ? "as counted serially" : "NOT as counted serially") : "not verified") << ": "
                  << (good ? "passed" : "FAILED") << std::endl;
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, comm);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace kmers

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int status = EXIT_FAILURE;
    try {
        status = kmers::run(argc, argv);
    } catch (const std::exception &error) {
        std::cerr << "kmers: " << error.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Finalize();
    return status;
}
