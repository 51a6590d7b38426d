/* {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@46", "STORE@48"], "NPROCS": 2, "DESCRIPTION": "all functions are taken out of the library by name, as Julia does", "COMPILE": "-ldl", "NOT_IN_LINT": "the functions are known when the program runs", "RULE": "remote-race"} */
/* Conflicting accesses between two fences (MPI-4.1 12.7); MPI.jl calls MPI so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef OPEN_MPI
#define LIBRARY "libmpi.so.40"
#else
#define LIBRARY "libmpich.so.12"
#endif

static void *function(const char *name)
{
    static void *library;
    if (!library)
        library = dlopen(LIBRARY, RTLD_LAZY | RTLD_DEEPBIND);
    void *found = library ? dlsym(library, name) : NULL;
    if (!found) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(1);
    }
    return found;
}

#define CALL(name) ((__typeof__(&name))function(#name))

int main(int argc, char **argv)
{
    int rank;
    int y = 7;
    int *x;
    MPI_Win win;

    if (dlsym(RTLD_DEFAULT, "no function has this name") || dlsym(RTLD_NEXT, "none this one"))
        return 1;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Win_allocate)(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    x[0] = rank;
    CALL(MPI_Barrier)(MPI_COMM_WORLD);
    CALL(MPI_Win_fence)(0, win);
    if (rank == 0) {
        CALL(MPI_Put)(&y, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    } else {
        x[0] = 3;
    }
    CALL(MPI_Win_fence)(0, win);
    CALL(MPI_Win_free)(&win);
    CALL(MPI_Finalize)();
    return 0;
}
