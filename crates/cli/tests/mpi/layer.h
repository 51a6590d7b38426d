/* A library between a program and MPI: its own shared object (layer.c), or all in this header with HEADER_ONLY. */
#include <mpi.h>

#ifdef HEADER_ONLY
#define LAYER static inline
#else
#define LAYER
#endif

/* Memory of `length` numbers in each process, which all may write. */
LAYER double *layer_open(int length);
/* Writes a number to a process; there when this returns. */
LAYER void layer_put(int rank, int at, double value);
/* All processes have come here. */
LAYER void layer_sync(void);
LAYER void layer_close(void);

#if defined HEADER_ONLY || defined WITH_BODIES
static MPI_Win layer_win;

LAYER double *layer_open(int length)
{
    double *base;
    MPI_Win_allocate(length * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &layer_win);
    MPI_Win_lock_all(0, layer_win);
    return base;
}

LAYER void layer_put(int rank, int at, double value)
{
    MPI_Put(&value, 1, MPI_DOUBLE, rank, at, 1, MPI_DOUBLE, layer_win);
    MPI_Win_flush(rank, layer_win);
}

LAYER void layer_sync(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

LAYER void layer_close(void)
{
    MPI_Win_unlock_all(layer_win);
    MPI_Win_free(&layer_win);
}
#endif
