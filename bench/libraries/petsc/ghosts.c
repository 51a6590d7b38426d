/* Ghost values through a star forest whose messages are one-sided: each process has roots, and leaves of its neighbour.
   Planted: roots are changed while the broadcast is under way. */
#include <petscsf.h>

int main(int argc, char **argv)
{
    PetscSF sf;
    PetscMPIInt me, size;
    PetscInt roots[8], leaves[8];
    PetscSFNode remote[8];

    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    MPI_Comm_rank(PETSC_COMM_WORLD, &me);
    MPI_Comm_size(PETSC_COMM_WORLD, &size);
    for (int i = 0; i < 8; i++) {
        roots[i] = 10 * me + i;
        leaves[i] = -1;
        remote[i].rank = (me + 1) % size;
        remote[i].index = 7 - i;
    }
    PetscCall(PetscSFCreate(PETSC_COMM_WORLD, &sf));
    PetscCall(PetscSFSetFromOptions(sf));
    PetscCall(PetscSFSetGraph(sf, 8, 8, NULL, PETSC_COPY_VALUES, remote, PETSC_COPY_VALUES));
    PetscCall(PetscSFSetUp(sf));
    for (int step = 0; step < 3; step++) {
        PetscCall(PetscSFBcastBegin(sf, MPIU_INT, roots, leaves, MPI_REPLACE));
#ifdef PLANTED
        roots[2] += leaves[3];
        leaves[5] = 0;
#endif
        PetscCall(PetscSFBcastEnd(sf, MPIU_INT, roots, leaves, MPI_REPLACE));
        for (int i = 0; i < 8; i++)
            roots[i] += leaves[i];
    }
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "leaf %d\n", (int)leaves[0]));
    PetscCall(PetscSFDestroy(&sf));
    PetscCall(PetscFinalize());
    return 0;
}
