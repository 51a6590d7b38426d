// What a get with a request has brought when MPI_Wait returns, for the four ways in which its two sides may have gaps.
// After MPI_Wait the data has arrived (MPI-4.1 §12.3.5): each line should say 2 twice.
//
//   mpicc rget-of-vectors.c -o rget-of-vectors && mpirun -n 2 ./rget-of-vectors
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    double *base;
    MPI_Win win;
    MPI_Win_allocate(64 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < 64; i++)
        base[i] = 2;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Datatype here, there;
    MPI_Type_vector(4, 4, 5, MPI_DOUBLE, &here);
    MPI_Type_vector(4, 4, 8, MPI_DOUBLE, &there);
    MPI_Type_commit(&here);
    MPI_Type_commit(&there);
    const char *forms[] = {"no gaps", "gaps at the target", "gaps at the origin", "gaps at both"};
    for (int form = 0; me == 1 && form < 4; form++) {
        int origin = form & 2, target = form & 1;
        double got[32];
        for (int i = 0; i < 32; i++)
            got[i] = -7;
        MPI_Request request;
        MPI_Rget(got, origin ? 1 : 16, origin ? here : MPI_DOUBLE, 0, 0, target ? 1 : 16,
                 target ? there : MPI_DOUBLE, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        double first = got[0];
        MPI_Win_flush(0, win);
        printf("%s: %g after MPI_Wait, %g after MPI_Win_flush\n", forms[form], first, got[0]);
    }
    MPI_Win_unlock_all(win);
    MPI_Type_free(&here);
    MPI_Type_free(&there);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
