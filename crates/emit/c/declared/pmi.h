/* The part of Cray's pmi.h that c/dmapp.c calls; see dmapp.h. */
#ifndef DECLARED_PMI_H
#define DECLARED_PMI_H
int PMI_Barrier(void);
#endif
