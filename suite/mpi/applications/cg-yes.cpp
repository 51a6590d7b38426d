/* {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@37", "LOAD@62"], "NPROCS": 3, "DESCRIPTION": "conjugate gradients: the halo is used before the gets are complete", "OPTIONS": ""} */
// conjugate gradient of a 1-D Laplacian; halo by MPI_Get from a window; cg --size N --tol T --max K, or defaults
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
struct Options {
    long size = 4000; double tol = 1e-8; int most = 40;
    Options(int argc, char **argv) {
        for (int i = 1; i < argc; i += 2) {
            std::string name = argv[i];
            if (i + 1 >= argc) throw std::runtime_error(name + " takes a value");
            if (name == "--size") size = std::stol(argv[i + 1]);
            else if (name == "--tol") tol = std::stod(argv[i + 1]);
            else if (name == "--max") most = std::stoi(argv[i + 1]);
            else throw std::runtime_error("unknown option " + name);
        }
        if (size < 16) throw std::runtime_error("too small");
    }
};
class Halo {
    MPI_Win win; double *mem; long n; int rank, size;
public:
    Halo(long n) : n(n) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Win_allocate(2 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
        MPI_Win_lock_all(0, win);
    }
    ~Halo() { MPI_Win_unlock_all(win); MPI_Win_free(&win); }
    void exchange(const std::vector<double> &v, double &left, double &right) {
        mem[0] = v[0]; mem[1] = v[n - 1];
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        left = right = 0;
        if (rank > 0) MPI_Get(&left, 1, MPI_DOUBLE, rank - 1, 1, 1, MPI_DOUBLE, win);
        if (rank < size - 1) MPI_Get(&right, 1, MPI_DOUBLE, rank + 1, 0, 1, MPI_DOUBLE, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
};
static double dot(const std::vector<double> &a, const std::vector<double> &b) {
    double s = 0, all;
    for (size_t i = 0; i < a.size(); i++) s += a[i] * b[i];
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
    try {
        Options o(argc, argv);
        long n = o.size / size + (rank < o.size % size);
        Halo halo(n);
        std::vector<double> x(n), r(n, 1.0), p(r), q(n);
        double rho = dot(r, r);
        for (int k = 0; k < o.most && std::sqrt(rho) > o.tol; k++) {
            double left, right;
            halo.exchange(p, left, right);
            for (long i = 0; i < n; i++)
                q[i] = 2.001 * p[i] - (i ? p[i - 1] : left) - (i < n - 1 ? p[i + 1] : right);
            double alpha = rho / dot(p, q);
            for (long i = 0; i < n; i++) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; }
            double next = dot(r, r);
            for (long i = 0; i < n; i++) p[i] = r[i] + next / rho * p[i];
            rho = next;
        }
        if (!rank) std::printf("%g\n", rho);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
