/* Asks by weak references which functions the library has, as programs that run with several libraries do, and says so.
 * Built as a program, and (PLUGIN) as a module that a program without any MPI of its own loads. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#pragma weak MPI_Win_create_c
#pragma weak MPI_Put_c
#pragma weak MPI_Session_init
#pragma weak MPI_Win_allocate_shared
extern int MPI_Win_create_c();
extern int MPI_Put_c();
extern int MPI_Session_init();
extern int MPI_Abi_get_version(int *, int *);
#pragma weak MPI_Abi_get_version

/* References in data, too, not only in the table that code uses. */
static void *const table[] = {(void *)MPI_Win_create_c, (void *)MPI_Abi_get_version, (void *)MPI_Win_allocate_shared};

int report(void) {
    int done = 0;
    MPI_Initialized(&done);
    if (!done) MPI_Init(0, 0);
    printf("MPI_Win_create_c %d, MPI_Put_c %d, MPI_Session_init %d, MPI_Abi_get_version %d, MPI_Win_allocate_shared %d\n",
           MPI_Win_create_c != 0, MPI_Put_c != 0, MPI_Session_init != 0, MPI_Abi_get_version != 0,
           MPI_Win_allocate_shared != 0);
    printf("table %d %d %d\n", table[0] != 0, table[1] != 0, table[2] != 0);
    MPI_Finalize();
    return 0;
}

#ifndef PLUGIN
int main(void) { return report(); }
#endif
