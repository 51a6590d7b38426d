/* Leaves are added to the roots of all processes, a reduction of a star forest; then each root counts with
   fetch-and-op. Planted: a leaf is changed while the reduction is under way. */
#include <petscsf.h>

int main(int argc, char **argv)
{
    PetscSF sf;
    PetscMPIInt me, size;

    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    MPI_Comm_rank(PETSC_COMM_WORLD, &me);
    MPI_Comm_size(PETSC_COMM_WORLD, &size);
    PetscInt roots[2] = {0, 0}, *leaves, *before;
    PetscSFNode *remote;
    PetscCall(PetscMalloc3(2 * size, &leaves, 2 * size, &before, 2 * size, &remote));
    for (int i = 0; i < 2 * size; i++) {
        leaves[i] = me + 1;
        remote[i].rank = i / 2;
        remote[i].index = i % 2;
    }
    PetscCall(PetscSFCreate(PETSC_COMM_WORLD, &sf));
    PetscCall(PetscSFSetFromOptions(sf));
    PetscCall(PetscSFSetGraph(sf, 2, 2 * size, NULL, PETSC_COPY_VALUES, remote, PETSC_COPY_VALUES));
    PetscCall(PetscSFReduceBegin(sf, MPIU_INT, leaves, roots, MPI_SUM));
#ifdef PLANTED
    leaves[0] = 7;
#endif
    PetscCall(PetscSFReduceEnd(sf, MPIU_INT, leaves, roots, MPI_SUM));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "root %d\n", (int)roots[0]));
    PetscCall(PetscSFFetchAndOpBegin(sf, MPIU_INT, roots, leaves, before, MPI_SUM));
    PetscCall(PetscSFFetchAndOpEnd(sf, MPIU_INT, roots, leaves, before, MPI_SUM));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "root %d\n", (int)roots[0]));
    PetscCall(PetscSFDestroy(&sf));
    PetscCall(PetscFree3(leaves, before, remote));
    PetscCall(PetscFinalize());
    return 0;
}
