// robust: yes
// from: a halo in a two-dimensional grid
// why: A fence separates the puts from the loads.
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n, dims[2] = {0, 0}, periods[2] = {1, 1}, me, up, down, left, right;
    MPI_Comm cart;
    MPI_Win win;
    double *mem;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Dims_create(n, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    MPI_Comm_rank(cart, &me);
    MPI_Cart_shift(cart, 0, 1, &up, &down);
    MPI_Cart_shift(cart, 1, 1, &left, &right);
    MPI_Win_allocate(8 * sizeof(double), sizeof(double), MPI_INFO_NULL, cart, &mem, &win);
    for (int i = 0; i < 8; i++)
        mem[i] = 0;
    MPI_Win_fence(0, win);
    for (int step = 0; step < 2; step++) {
        int b = step % 2;
        double v = step;
        MPI_Put(&v, 1, MPI_DOUBLE, up, 4 * b + 0, 1, MPI_DOUBLE, win);
        MPI_Put(&v, 1, MPI_DOUBLE, down, 4 * b + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&v, 1, MPI_DOUBLE, left, 4 * b + 2, 1, MPI_DOUBLE, win);
        MPI_Put(&v, 1, MPI_DOUBLE, right, 4 * b + 3, 1, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
        volatile double *m = mem;
        double s = m[4 * b] + m[4 * b + 1] + m[4 * b + 2] + m[4 * b + 3];
        (void)s;
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
