/* Tasks from a shared counter (NGA_Read_inc), whose results are added to one array by NGA_Acc; process 0 works on its
   part of the array in place. Planted: it does so without waiting for the others. */
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 16, WIDE = 8 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    GA_Initialize();
    MA_init(C_DBL, 100000, 100000);
    int me = GA_Nodeid(), one[] = {1}, all[] = {WIDE}, zero[] = {0};
    int counter = NGA_Create(C_LONG, 1, one, "counter", NULL);
    int result = NGA_Create(C_DBL, 1, all, "result", all);
    GA_Zero(counter);
    GA_Zero(result);

    while (NGA_Read_inc(counter, zero, 1) < TASKS) {
        double part[WIDE], scale = 1;
        for (int i = 0; i < WIDE; i++)
            part[i] = i;
        int to[] = {WIDE - 1}, row[] = {WIDE};
        NGA_Acc(result, zero, to, part, row, &scale);
    }
#ifndef PLANTED
    GA_Sync();
#endif
    if (me == 0) {
        double *mine;
        int low[1], high[1], row[1];
        NGA_Distribution(result, me, low, high);
        NGA_Access(result, low, high, &mine, row);
        for (int i = 0; i <= high[0] - low[0]; i++)
            mine[i] = -mine[i];
        NGA_Release_update(result, low, high);
    }
    GA_Sync();
    GA_Print(result);
    GA_Destroy(result);
    GA_Destroy(counter);
    GA_Terminate();
    MPI_Finalize();
    return 0;
}
