#include "mark.h"
#include <mpi.h>
#include <stdlib.h>

/* Plain memory: this file is not instrumented, so that nobody takes it for synchronisation. */
static volatile char reached[128];

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
    reached[number] = 1;
}

void after(int number)
{
    while (!reached[number])
        nap(1);
}

void end(void) { MPI_Finalize(); }

/* For Fortran. */
void begin_(void) { begin(); }
void mark_(const int *number) { mark(*number); }
void after_(const int *number) { after(*number); }
void end_(void) { end(); }
