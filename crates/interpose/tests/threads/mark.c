#include "mark.h"
#include <mpi.h>
#include <stdlib.h>

void begin(void)
{
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        abort();
}

void mark(int number)
{
    char sent = 0, received;
    MPI_Request request;
    MPI_Isend(&sent, 1, MPI_CHAR, 0, number, MPI_COMM_SELF, &request);
    MPI_Recv(&received, 1, MPI_CHAR, 0, number, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void end(void) { MPI_Finalize(); }

/* For Fortran. */
void begin_(void) { begin(); }
void mark_(const int *number) { mark(*number); }
void nap_(const int *milliseconds) { nap(*milliseconds); }
void end_(void) { end(); }
